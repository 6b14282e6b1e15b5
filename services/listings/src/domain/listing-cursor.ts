import { z } from 'zod'

/** Where a page of an owner's listings ends: they are in the order of their creation, then of their slugs. */
export interface ListingPlace {
  /** Milliseconds. */
  readonly createdAt: number
  readonly slug: string
}

const Sealed = z.tuple([z.literal('listings.mine/1'), z.number().int().nonnegative(), z.string().max(64)])

/**
 * A place as an opaque cursor. It is not signed: it chooses among the caller's own listings whatever it says.
 */
export const cursorOf = ({ createdAt, slug }: ListingPlace): string =>
  Buffer.from(JSON.stringify(['listings.mine/1', createdAt, slug])).toString('base64url')

/** The place that a cursor names; undefined for a text that is no cursor of this list. */
export function placeOf(cursor: string): ListingPlace | undefined {
  try {
    const sealed = Sealed.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return sealed.success ? { createdAt: sealed.data[1], slug: sealed.data[2] } : undefined
  } catch {
    return undefined
  }
}

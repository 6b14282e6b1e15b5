import { z } from 'zod'

/** Where a page of an owner's listings ends: they are ordered by creation, then by slug. */
export interface ListingPlace {
  /** Milliseconds. */
  readonly createdAt: number
  readonly slug: string
}

const Sealed = z.tuple([z.string(), z.number().int().nonnegative(), z.string().max(64)])

/** A list of an owner's items, with the version of its order. */
export type OwnersList = 'listings.mine/1' | 'listings.myPostings/1'

/** A place as an opaque cursor. It is not signed: any value only selects among the caller's own listings. */
export const cursorOf = ({ createdAt, slug }: ListingPlace, list: OwnersList = 'listings.mine/1'): string =>
  Buffer.from(JSON.stringify([list, createdAt, slug])).toString('base64url')

/** The place in a cursor; undefined for a text that is not a cursor of this list. */
export function placeOf(cursor: string, list: OwnersList = 'listings.mine/1'): ListingPlace | undefined {
  try {
    const sealed = Sealed.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return sealed.success && sealed.data[0] === list ? { createdAt: sealed.data[1], slug: sealed.data[2] } : undefined
  } catch {
    return undefined
  }
}

import { z } from 'zod'

/** Where a page of an owner's listings ends: they are ordered by creation, then by slug. */
export interface ListingPlace {
  /** Milliseconds. */
  readonly createdAt: number
  readonly slug: string
}

/** No listing is from a later year, and Postgres reads no date far beyond it. */
const LAST_MS = Date.UTC(10_000, 0)
/** Postgres takes no NUL. */
const Slug = z
  .string()
  .max(64)
  .refine((text) => !text.includes('\0'))
const Sealed = z.tuple([z.string(), z.number().int().nonnegative().max(LAST_MS), Slug])

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

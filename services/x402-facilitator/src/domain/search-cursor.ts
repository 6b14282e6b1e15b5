import { createHash } from 'node:crypto'
import { z } from 'zod'

const Cursor = z.strictObject({
  question: z.string(),
  lacks: z.boolean(),
  rank: z.number(),
  // Anyone can write a cursor, and Postgres takes no NUL.
  resource: z.string().refine((text) => !text.includes('\0')),
})

/** The position at the end of a page of search results. */
export type SearchPlace = Omit<z.output<typeof Cursor>, 'question'>

/** Identifies the query and filters to which a position belongs. */
const digestOf = (question: object): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

/** An opaque position in the results of one query. It names nothing the answer does not show, so it is not signed. */
export const cursorAfter = (question: object, { lacks, rank, resource }: SearchPlace): string =>
  Buffer.from(JSON.stringify({ question: digestOf(question), lacks, rank, resource })).toString('base64url')

/** Reads the position of a cursor; undefined when it is not a cursor, or belongs to another query. */
export function placeOf(question: object, cursor: string): SearchPlace | undefined {
  try {
    const read = Cursor.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return read.success && read.data.question === digestOf(question) ? read.data : undefined
  } catch {
    return undefined
  }
}

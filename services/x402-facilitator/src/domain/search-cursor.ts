import { createHash } from 'node:crypto'
import { z } from 'zod'

const Cursor = z.strictObject({
  question: z.string(),
  lacks: z.boolean(),
  rank: z.number(),
  resource: z.string(),
})

/** The last place of a page of a search. */
export type SearchPlace = Omit<z.output<typeof Cursor>, 'question'>

/** Which query and filters a place belongs to. */
const digestOf = (question: object): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

/** An opaque place in the answer to one question. It names nothing that the answer does not show, so it is not signed. */
export const cursorAfter = (question: object, { lacks, rank, resource }: SearchPlace): string =>
  Buffer.from(JSON.stringify({ question: digestOf(question), lacks, rank, resource })).toString('base64url')

/** The place that a cursor names; undefined when it is none, or belongs to another question. */
export function placeOf(question: object, cursor: string): SearchPlace | undefined {
  try {
    const read = Cursor.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return read.success && read.data.question === digestOf(question) ? read.data : undefined
  } catch {
    return undefined
  }
}

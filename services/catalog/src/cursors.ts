import { hash } from 'node:crypto'
import { openCursor, sealCursor } from '@callboard/store'
import { type Cursor, refuse } from '@callboard/values'
import { z } from 'zod'

/** What a cursor is bound to: it opens for the same operation, order and query only. */
export interface Paging {
  /** The first one seals, any of them opens. */
  readonly keys: readonly [string, ...string[]]
  /** The operation's id. */
  readonly operation: string
  /** The version of the order that the places refer to. */
  readonly order: string
  /** The parameters that select the rows, with members in a fixed order. */
  readonly question: unknown
}

const Sealed = z.object({ order: z.string(), question: z.string(), place: z.unknown() })

const digest = (question: unknown) => hash('sha256', JSON.stringify(question), 'base64url').slice(0, 22)

export const sealPlace = ({ keys: [key], operation, order, question }: Paging, place: unknown): Cursor =>
  sealCursor(key, operation, { order, question: digest(question), place })

/** The place to continue from; undefined if the cursor was tampered with or belongs to another query. */
export function openPlace<Place extends z.ZodType>(
  { keys, operation, order, question }: Paging,
  schema: Place,
  cursor: Cursor,
): z.output<Place> | undefined {
  const opened = keys.values().map((key) => openCursor(key, operation, cursor))
  const sealed = Sealed.safeParse(opened.find((place) => place !== undefined))
  if (!sealed.success || sealed.data.order !== order || sealed.data.question !== digest(question)) return undefined
  return schema.safeParse(sealed.data.place).data
}

export const foreignCursor = () =>
  refuse('invalid_request', {
    field: 'cursor',
    message: 'The cursor does not belong to this query. Start without one.',
  })

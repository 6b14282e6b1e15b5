import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Cursor } from '@callboard/values'

const TAG_BYTES = 16

const tagOf = (key: string, context: string, body: string) =>
  createHmac('sha256', key).update(`${context}\n${body}`).digest().subarray(0, TAG_BYTES)

/**
 * Creates an opaque, signed cursor into a list.
 * @param context what the cursor belongs to: route and query; a cursor of another context does not open
 * @param place what the next page starts after; readable by clients, so no secrets
 */
export function sealCursor(key: string, context: string, place: unknown): Cursor {
  const body = Buffer.from(JSON.stringify(place)).toString('base64url')
  return `${body}.${tagOf(key, context, body).toString('base64url')}`
}

/** Returns the place that a cursor names, or undefined when it was not made by this key for this context. */
export function openCursor(key: string, context: string, cursor: Cursor): unknown {
  const [body, tag, ...more] = cursor.split('.')
  if (!body || !tag || more.length > 0) return undefined
  const given = Buffer.from(tag, 'base64url')
  const expected = tagOf(key, context, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}

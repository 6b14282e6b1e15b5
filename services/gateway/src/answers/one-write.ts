import { isUtf8 } from 'node:buffer'

/** Up to here the copy costs less than what it saves. */
const MOST_BYTES = 16 * 1024

/**
 * A body as Node sends it at the least cost: a short one as text, which leaves in one buffer with its head. The same bytes
 * go out either way; what is no UTF-8 stays as it is.
 */
export function inOneWrite(body: Uint8Array): string | Uint8Array {
  if (body.byteLength > MOST_BYTES || !isUtf8(body)) return body
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}

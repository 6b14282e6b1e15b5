import { isUtf8 } from 'node:buffer'

/** Up to this length the copy costs less than it saves. */
const MOST_BYTES = 16 * 1024

/**
 * A body in the form that Node sends at least cost: a short one as text, which leaves in one buffer with its head. The
 * bytes sent are the same; anything but UTF-8 is left as it is.
 */
export function inOneWrite(body: Uint8Array): string | Uint8Array {
  if (body.byteLength > MOST_BYTES || !isUtf8(body)) return body
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}

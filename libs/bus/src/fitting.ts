import { MAX_MESSAGE_BYTES } from './wire.ts'

/** Room in one answer for lists of unknown size; the rest of the message is for what surrounds them. */
export const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** As many of the first items as fit into one answer of the bus. */
export function fitting<Item>(items: readonly Item[], maxBytes: number = ANSWER_BYTES): Item[] {
  let left = maxBytes
  const fit = items.findIndex((item) => {
    left -= jsonBytes(item) + 1
    return left < 0
  })
  return fit === -1 ? [...items] : items.slice(0, fit)
}

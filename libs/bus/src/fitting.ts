import { MAX_MESSAGE_BYTES } from './wire.ts'

/** Bytes of one answer available to lists of unknown size; the rest of the message is for what surrounds them. */
export const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Returns as many of the first items as fit into one answer of the bus. */
export function fitting<Item>(items: readonly Item[], maxBytes: number = ANSWER_BYTES): Item[] {
  let left = maxBytes
  const fit = items.findIndex((item) => {
    left -= jsonBytes(item) + 1
    return left < 0
  })
  return fit === -1 ? [...items] : items.slice(0, fit)
}

/**
 * Returns as many of the first items as fit into one answer, and how many more there are, if any. Someone who can act
 * for an owner for a while can make their lists long, and a list that fits into no answer would show nothing.
 */
export function fittingPart<Item>(items: readonly Item[]): { readonly shown: Item[]; readonly more?: number } {
  const shown = fitting(items)
  const more = items.length - shown.length
  return more > 0 ? { shown, more } : { shown }
}

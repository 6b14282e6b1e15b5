import { isDeepStrictEqual } from 'node:util'
import type { ListingOperation, ListingRecord } from '@callboard/contract'
import { type ListingFile, operationKey } from './listing-file.ts'

/** How a file differs from its listing. */
export interface Changes {
  /** Its name and description, where they differ. */
  readonly words: { readonly name?: string; readonly description?: string }
  /** What differs of what it sells, in words; empty where nothing does. */
  readonly sells: readonly string[]
}

export function changesOf(wanted: ListingFile, listing: ListingRecord): Changes {
  const { name, description, category } = wanted
  const listed = new Map(listing.operations.map((one) => [operationKey(one), one]))
  const kept = new Set(wanted.operations.map(operationKey))
  return {
    words: {
      ...(name === listing.name ? {} : { name }),
      ...(description === listing.description ? {} : { description }),
    },
    sells: [
      ...(category === listing.category ? [] : [`category: ${category}`]),
      ...wanted.operations.flatMap((one) => {
        const key = operationKey(one)
        const before = listed.get(key)
        if (!before) return [`added ${key}`]
        return isSame(one, before) ? [] : [`changed ${key}`]
      }),
      ...[...listed.keys()].filter((key) => !kept.has(key)).map((key) => `removed ${key}`),
    ],
  }
}

/** Whether an operation is listed as the file has it. A description that the file leaves out is the endpoint's own. */
function isSame(wanted: ListingFile['operations'][number], listed: ListingOperation): boolean {
  const described =
    wanted.description === '' ? listed.describedBy !== 'owner' : wanted.description === listed.description
  return wanted.name === listed.name && described && isDeepStrictEqual(wanted.sample, listed.sample)
}

import type { Verification } from '@callboard/contract'
import type { Listing, ReviewedFacts } from './listing.ts'

export const factsOf = ({ name, description, payoutWallet, splitter, operations }: Listing) =>
  ({
    name,
    description,
    payoutWallet,
    payTo: splitter.address,
    operations: operations.map(({ method, url, name, description }) => ({ method, url, name, description })),
  }) satisfies ReviewedFacts

/**
 * The verification after a change. What the operator checked is what is verified: a change of the name, of the payee or
 * of the operations, and any but a small change of the description, puts the listing back in the queue. Changes are
 * measured against what was reviewed, so that many small ones cannot add up to a large one.
 */
export function verificationAfter(before: Listing, after: Listing): Pick<Listing, 'verification' | 'reviewed'> {
  const { verification } = after
  if (verification !== 'verified') return { verification, reviewed: null }
  if (before.verification !== 'verified') return { verification, reviewed: factsOf(after) }
  const reviewed = before.reviewed ?? factsOf(before)
  const dropped: Verification = 'requested'
  return isAsReviewed(reviewed, factsOf(after)) ? { verification, reviewed } : { verification: dropped, reviewed: null }
}

/** Whether the current facts are those that were reviewed, except for corrections of a word or two. */
export function isAsReviewed(
  { description: then, ...reviewed }: ReviewedFacts,
  { description: now, ...facts }: ReturnType<typeof factsOf>,
) {
  const isSame = JSON.stringify(sorted(reviewed)) === JSON.stringify(sorted(facts))
  const saidThen = reviewed.operations.map(({ description }) => description)
  const isSaid = facts.operations.every(({ description }, at) => isSmallEdit(saidThen[at] ?? description, description))
  return isSame && isSaid && isSmallEdit(then, now)
}

/** jsonb does not keep the order of members. */
const sorted = ({ name, payoutWallet, payTo, operations }: Omit<ReviewedFacts, 'description'>) => [
  name,
  payoutWallet,
  payTo,
  operations.map(({ method, url, name }) => [method, url, name]),
]

const MOST_TYPOS = 2
/** In a shorter word, one letter may make another word. */
const LONG_WORD = /^\p{L}{5,}$/u
const PUNCTUATION = /\p{P}/gu

/**
 * Whether an edit of a description is a correction: other white space, and at most two words that differ by one typing
 * mistake each: a letter added, left out, replaced or swapped with the next. Words of four letters or fewer, and words
 * with characters other than letters (prices, hosts), must not change.
 */
export function isSmallEdit(before: string, after: string): boolean {
  const [then, now] = [wordsOf(before), wordsOf(after)]
  if (then.length !== now.length) return false
  const both = then.map((word, at) => [word, now[at] as string] as const)
  const changed = both.filter(([word, typed]) => word !== typed)
  return changed.length <= MOST_TYPOS && changed.every(([word, typed]) => isOneTypo(word, typed))
}

const wordsOf = (text: string): string[] => text.normalize('NFC').split(/\s+/).filter(Boolean)

/** @param before differs from `after`; both are surrounded by white space */
function isOneTypo(before: string, after: string): boolean {
  const [wordBefore, wordAfter] = [before.replace(PUNCTUATION, ''), after.replace(PUNCTUATION, '')]
  // A word with inner punctuation is not found in its text, which then stays unchanged and differs from the other.
  if (before.replace(wordBefore, ' ') !== after.replace(wordAfter, ' ')) return false
  if (!LONG_WORD.test(wordBefore) || !LONG_WORD.test(wordAfter)) return false
  const [one, other] = [[...wordBefore], [...wordAfter]]
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const skipped = [
    [start + 1, start + 1],
    [start + 1, start],
    [start, start + 1],
  ] as const
  return skipped.some(([a, b]) => isSame(one.slice(a), other.slice(b))) || isSwap(one, other, start)
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join()

const isSwap = (one: readonly string[], other: readonly string[], at: number): boolean =>
  one[at] === other[at + 1] && one[at + 1] === other[at] && isSame(one.slice(at + 2), other.slice(at + 2))

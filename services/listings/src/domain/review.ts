import type { Verification } from '@callboard/contract'
import type { Listing, ReviewedFacts } from './listing.ts'

export const factsOf = ({ name, description, payoutWallet, splitter, operations }: Listing): ReviewedFacts => ({
  name,
  description,
  payoutWallet,
  payTo: splitter.address,
  operations: operations.map(({ method, url, name, description }) => ({ method, url, name, description })),
})

/**
 * What a change makes of a verification. What the operator looked at is what is verified: a change of the name, of the
 * payee or of the operations, and any change of the description beyond a small one, puts the listing back in the queue.
 * It is measured against what was reviewed, so that many small changes are not a large one.
 */
export function verificationAfter(before: Listing, after: Listing): Pick<Listing, 'verification' | 'reviewed'> {
  const { verification } = after
  if (verification !== 'verified') return { verification, reviewed: null }
  if (before.verification !== 'verified') return { verification, reviewed: factsOf(after) }
  const reviewed = before.reviewed ?? factsOf(before)
  const dropped: Verification = 'requested'
  return isAsReviewed(reviewed, factsOf(after)) ? { verification, reviewed } : { verification: dropped, reviewed: null }
}

function isAsReviewed(
  { description: then, ...reviewed }: ReviewedFacts,
  { description: now, ...facts }: ReviewedFacts,
) {
  const isSame = JSON.stringify(sorted(reviewed)) === JSON.stringify(sorted(facts))
  const saidThen = reviewed.operations.map(({ description }) => description)
  const isSaid = facts.operations.every(({ description = '' }, at) =>
    isSmallEdit(saidThen[at] ?? description, description),
  )
  return isSame && isSaid && isSmallEdit(then, now)
}

/** The columns of jsonb come back in another order. */
const sorted = ({ name, payoutWallet, payTo, operations }: Omit<ReviewedFacts, 'description'>) => [
  name,
  payoutWallet,
  payTo,
  operations.map(({ method, url, name }) => [method, url, name]),
]

const MOST_TYPOS = 2
/** A shorter word may become another one by one letter. */
const LONG_WORD = 5

/**
 * Whether an edit of a description is a correction: other white space, and at most two words that are the same but for one
 * typing mistake, which is a letter added, left out, replaced or swapped with the next. Words of four letters and fewer,
 * and words with anything but letters in them (prices, hosts), are no place for one.
 */
export function isSmallEdit(before: string, after: string): boolean {
  const [then, now] = [before, after].map((text) => text.normalize('NFC').split(/\s+/).filter(Boolean))
  if (!then || !now || then.length !== now.length) return false
  const changed = then.flatMap((word, at) => (word === now[at] ? [] : [[word, now[at] ?? ''] as const]))
  return changed.length <= MOST_TYPOS && changed.every(([word, typed]) => isOneTypo(word, typed))
}

const PUNCTUATED = /^(\p{P}*)(.*?)(\p{P}*)$/su

function isOneTypo(before: string, after: string): boolean {
  const [, openA = '', wordA = '', closeA = ''] = PUNCTUATED.exec(before) ?? []
  const [, openB = '', wordB = '', closeB = ''] = PUNCTUATED.exec(after) ?? []
  if (openA !== openB || closeA !== closeB) return false
  const [one, other] = [[...wordA], [...wordB]]
  const isWord = (word: readonly string[]) =>
    word.length >= LONG_WORD && word.every((letter) => /^\p{L}$/u.test(letter))
  if (!isWord(one) || !isWord(other)) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const rest = (word: readonly string[], from: number) => word.slice(from).join('')
  return (
    [
      [start + 1, start + 1],
      [start + 1, start],
      [start, start + 1],
    ].some(([a = 0, b = 0]) => rest(one, a) === rest(other, b)) || isSwap(one, other, start)
  )
}

const isSwap = (one: readonly string[], other: readonly string[], at: number): boolean =>
  one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2).join('') === other.slice(at + 2).join('')

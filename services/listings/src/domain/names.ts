import { lookAlikeKey } from '@callboard/values'

interface Named {
  readonly name: string
}

/**
 * Two names that a reader takes for one: they look alike, or differ in case, accents and punctuation alone. A name of which
 * a comparison leaves nothing, as of a picture its letters, is by that one like no other.
 */
export const isAlike = ({ name: one }: Named, { name: other }: Named): boolean =>
  one === other || [lookAlikeKey, lettersOf].some((keyOf) => keyOf(one) !== '' && keyOf(one) === keyOf(other))

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

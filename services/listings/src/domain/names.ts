import { lookAlikeKey } from '@callboard/values'

interface Named {
  readonly name: string
}

/**
 * Whether a reader may confuse two names: they look alike, or differ only in case, accents and punctuation. A name that
 * leaves nothing to compare, such as an emoji without letters, matches no other in that comparison.
 */
export const isAlike = ({ name: one }: Named, { name: other }: Named): boolean =>
  one === other || [lookAlikeKey, lettersOf].some((keyOf) => keyOf(one) !== '' && keyOf(one) === keyOf(other))

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

import { lookAlikeKey } from '@callboard/values'

interface Named {
  readonly name: string
}

/** Two names that a reader takes for one: they look alike, or differ in case, accents and punctuation alone. */
export const isAlike = (one: Named, other: Named): boolean =>
  lookAlikeKey(one.name) === lookAlikeKey(other.name) || lettersOf(one.name) === lettersOf(other.name)

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

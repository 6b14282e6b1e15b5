const LETTERS = /^[a-z]+$/
/** A stem has at least this many letters. */
const LEAST = 3

/** Whether other words may share the stem of a word. */
export const isStemmed = (word: string): boolean => word.length >= LEAST && LETTERS.test(word)

/**
 * Endings and their replacements, longest first. The stems are not words: `translate`, `translator`, `translation` and
 * `translating` only have to yield the same one.
 */
const ENDINGS: readonly (readonly [ending: string, stem: string])[] = [
  ['ifications', 'if'],
  ['ification', 'if'],
  ['izations', 'iz'],
  ['isations', 'iz'],
  ['ization', 'iz'],
  ['isation', 'iz'],
  ['ations', 'at'],
  ['ators', 'at'],
  ['ating', 'at'],
  ['ation', 'at'],
  ['ator', 'at'],
  ['ated', 'at'],
  ['ates', 'at'],
  ['ifiers', 'if'],
  ['ifying', 'if'],
  ['ifier', 'if'],
  ['ified', 'if'],
  ['ifies', 'if'],
  ['izers', 'iz'],
  ['isers', 'iz'],
  ['izing', 'iz'],
  ['ising', 'iz'],
  ['izer', 'iz'],
  ['iser', 'iz'],
  ['ized', 'iz'],
  ['ised', 'iz'],
  ['izes', 'iz'],
  ['ises', 'iz'],
  ['nesses', ''],
  ['ments', ''],
  ['ities', ''],
  ['ness', ''],
  ['ment', ''],
  ['ings', ''],
  ['ate', 'at'],
  ['ify', 'if'],
  ['ize', 'iz'],
  ['ise', 'iz'],
  ['ity', ''],
  ['ies', 'i'],
  ['ers', ''],
  ['ors', ''],
  ['ing', ''],
  ['ions', ''],
  ['ion', ''],
  ['ed', ''],
  ['er', ''],
  ['or', ''],
  ['es', ''],
  ['ly', ''],
  ['ss', 'ss'],
  ['us', 'us'],
  ['is', 'is'],
  ['y', 'i'],
  ['e', ''],
  ['s', ''],
]

/**
 * The stem of an English word, or the word itself. Stems are searched in addition to the words, never instead, so that
 * removing an ending too many costs little.
 */
export function stemOf(word: string): string {
  if (word.length <= LEAST || !isStemmed(word)) return word
  for (const [ending, stem] of ENDINGS) {
    if (!word.endsWith(ending)) continue
    const rest = word.length - ending.length
    if (rest < LEAST || !/[aeiouy]/.test(word.slice(0, rest))) continue
    return single(word.slice(0, rest) + stem)
  }
  return word
}

/** `scrap` for `scrapp`: undoes the doubling of a consonant before an ending. */
const single = (stem: string): string =>
  stem.length > LEAST && /([bdgklmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem

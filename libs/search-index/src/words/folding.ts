const ASCII = /^[\0-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are letters to their readers and stay. */
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that no decomposition takes apart. */
const WHOLE: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }
const WHOLE_LETTERS = /[ßæœøđłıς]/g

/**
 * A text as words are compared: compatibility forms as one (NFKC: full width, ligatures), lower case, without accents.
 * Text of ASCII alone is only put in lower case.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(WHOLE_LETTERS, (letter) => WHOLE[letter] ?? letter)
}

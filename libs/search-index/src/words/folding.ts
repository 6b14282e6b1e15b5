const ASCII = /^[\0-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts count as letters for their readers and stay. */
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that have no decomposition. */
const WHOLE: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }
const WHOLE_LETTERS = /[ßæœøđłıς]/g

/**
 * A text in the form in which words are compared: compatibility forms unified (NFKC: full width, ligatures), in lower
 * case, without accents. ASCII text is only lower-cased.
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

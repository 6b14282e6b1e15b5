const SUMMARY_CHARACTERS = 500

/** A text cut to the length that a card shows. */
export function shortened(text: string): string {
  // A character takes one or two code units: for most texts the length decides, without splitting them.
  if (text.length <= SUMMARY_CHARACTERS) return text
  const characters = [...text]
  return characters.length <= SUMMARY_CHARACTERS ? text : `${characters.slice(0, SUMMARY_CHARACTERS - 1).join('')}…`
}

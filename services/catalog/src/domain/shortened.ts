const SUMMARY_CHARACTERS = 500

/** A text as long as a card shows it. */
export function shortened(text: string): string {
  // A character takes one or two units: most texts are told by their length, without being taken apart.
  if (text.length <= SUMMARY_CHARACTERS) return text
  const characters = [...text]
  return characters.length <= SUMMARY_CHARACTERS ? text : `${characters.slice(0, SUMMARY_CHARACTERS - 1).join('')}…`
}

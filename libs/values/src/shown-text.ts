/** The kind of text: a name or label in one line, or a description, which may have tabs and line breaks. */
export type ShownForm = 'line' | 'paragraphs'

// Each of these is tested against one character at a time.
const LINE_BREAKS = /[\t\n\r]/
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const OVERLAY = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e2\u20e4-\u20eb]/
const MARK = /\p{M}/u
const UNASSIGNED = /\p{Cn}/u
const PRIVATE_USE = /\p{Co}/u
const MAX_MARKS = 4

const VARIATION = /[\ufe0e\ufe0f]/
const EMOJI = /\p{Emoji}/u
/** What precedes a joiner inside an emoji: a picture, its skin tone, or the selector that makes it one. */
const JOINS_EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u
const JOINER = /[\u200c\u200d]/
/** Scripts whose spelling needs joiners. */
const JOINS_LETTERS =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * A text with at most thirty marks in a row, more than any language needs. Normalizing puts marks in order, in a time that
 * grows with the square of their number: a text of 250 KB that is nothing else takes ten seconds.
 * @source Unicode UAX 15 §13, Stream-Safe Text Format
 */
export const streamSafe = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, '$1')

/**
 * Why a given text is not shown to others, or undefined when it is. Refused is all that does not show what it is:
 * control characters, changes of text direction, invisible characters, marks that are stacked or drawn over a letter,
 * characters without an agreed meaning (unassigned, private use, half of a surrogate pair), and a text that shows
 * nothing. Joiners are allowed where an emoji or the spelling of a script needs them.
 * @returns the reason to be put after "it", for example "holds U+202E, which turns the direction of the text"
 * @source Unicode UTS 39 §5.4, UTS 55 §3, UAX 9 §2
 */
export function shownTextFault(text: string, form: ShownForm): string | undefined {
  if (!text.isWellFormed()) return 'holds half of a surrogate pair'
  const [first] = faultsIn([...streamSafe(text).normalize('NFC')], form)
  if (first) return `holds ${nameOf(first.character)}, which ${first.fault}`
  return text !== '' && text.trim() === '' ? 'shows nothing' : undefined
}

/** The part of a text that is shown if its author cannot be asked to fix it: all but the characters at fault. */
export function shownPartOf(text: string, form: ShownForm): string {
  const characters = [...streamSafe(text.toWellFormed()).normalize('NFC')]
  const hidden = new Set([...faultsIn(characters, form)].map(({ at }) => at))
  return characters.filter((_, at) => !hidden.has(at)).join('')
}

function* faultsIn(characters: readonly string[], form: ShownForm) {
  let marks = 0
  for (const [at, character] of characters.entries()) {
    marks = MARK.test(character) && !VARIATION.test(character) ? marks + 1 : 0
    const fault =
      faultOf(character, form) ??
      (isHidden(character, characters[at - 1], characters[at + 1]) ? 'is invisible' : undefined) ??
      (marks > MAX_MARKS || (marks > 0 && at === 0) ? 'is a mark that overprints other text' : undefined)
    if (fault) yield { at, character, fault }
  }
}

function faultOf(character: string, form: ShownForm): string | undefined {
  if (CONTROL.test(character)) {
    return form === 'paragraphs' && LINE_BREAKS.test(character) ? undefined : 'is a control character'
  }
  if (DIRECTION.test(character)) return 'turns the direction of the text'
  if (OVERLAY.test(character)) return 'is a mark that overprints other text'
  if (PRIVATE_USE.test(character)) return 'has no agreed meaning'
  return UNASSIGNED.test(character) ? 'is not assigned' : undefined
}

/** Whether a character is invisible and serves neither an emoji nor the spelling of its script. */
function isHidden(character: string, before = '', after = ''): boolean {
  if (!INVISIBLE.test(character)) return false
  if (VARIATION.test(character)) return !EMOJI.test(before)
  if (!JOINER.test(character)) return true
  if (JOINS_LETTERS.test(before) && JOINS_LETTERS.test(after)) return false
  return character === '\u200c' || !JOINS_EMOJI.test(before) || !JOINS_EMOJI.test(after)
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

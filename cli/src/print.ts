import { shownPartOf } from '@callboard/values'

/** Where output goes: data to stdout, messages about it to stderr. */
export interface Print {
  /** The result: as JSON if requested, else as these lines. */
  result(data: object, lines: readonly string[]): void
  /** Progress: one JSON event per line, or else a sentence, if there is one. */
  progress(event: string, data: object, sentence: string | undefined): void
}

/** Text of another party as one line, without characters that a terminal acts on or that hide others. */
export const shownLine = (text: string): string => shownPartOf(text, 'line')

/** Sentences in which another party's text may stand. */
export const shownText = (text: string): string => shownPartOf(text.replaceAll('\r', ''), 'paragraphs')

/** Control characters beyond those that JSON escapes, and what turns the direction of text or ends a line. */
const ACTED_ON = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Data as a program reads it; on a terminal, another party's text in it does nothing. */
export const jsonOf = (data: object): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)).replaceAll(
    ACTED_ON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const printer = (json: boolean): Print => ({
  result: (data, lines) => console.log(json ? jsonOf(data) : lines.map(shownLine).join('\n')),
  progress: (event, data, sentence) => {
    if (json) console.error(jsonOf({ event, ...data }))
    else if (sentence !== undefined) console.error(shownText(sentence))
  },
})

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

/** Data as a program reads it. */
export const jsonOf = (data: object): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

export const printer = (json: boolean): Print => ({
  result: (data, lines) => console.log(json ? jsonOf(data) : lines.map(shownLine).join('\n')),
  progress: (event, data, sentence) => {
    if (json) console.error(jsonOf({ event, ...data }))
    else if (sentence !== undefined) console.error(shownText(sentence))
  },
})

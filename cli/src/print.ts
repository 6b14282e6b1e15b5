/** Where output goes: data to stdout, messages about it to stderr. */
export interface Print {
  /** The result: as JSON if requested, else as these lines. */
  result(data: object, lines: readonly string[]): void
  /** Progress: one JSON event per line, or else a sentence, if there is one. */
  progress(event: string, data: object, sentence: string | undefined): void
}

const text = (data: object) =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

export const printer = (json: boolean): Print => ({
  result: (data, lines) => console.log(json ? text(data) : lines.join('\n')),
  progress: (event, data, sentence) => {
    if (json) console.error(text({ event, ...data }))
    else if (sentence !== undefined) console.error(sentence)
  },
})

import type { Env } from '@callboard/runtime'

/** The options of the command line, of which each form takes some. */
export interface Options {
  readonly by?: string | undefined
  readonly call?: boolean | undefined
  readonly checked?: string | undefined
  readonly note?: string | undefined
  readonly reason?: string | undefined
  readonly limit?: string | undefined
  readonly look?: boolean | undefined
  readonly 'restored-to'?: string | undefined
}

/** A command line that fits a form. */
export interface Given {
  readonly options: Options
  /** The name under which a change is recorded. */
  readonly by: string
  readonly env: Env
  /** Ends the process with the reason and the usage: the words fit the form, and are wrong in another way. */
  readonly refuse: (reason: string) => never
}

/** One form of the command line. The usage, what fits it and which options it takes are read from its texts. */
export interface Form {
  /** Fixed words, then those of the user in capitals, then optional ones in brackets; with `…`, as many as there are. */
  readonly words: string
  /** The options that it takes, optional ones in brackets. */
  readonly options?: string | undefined
  /**
   * @param own the user's words, in the order of the form
   * @returns the exit code
   */
  readonly run: (own: readonly string[], given: Given) => Promise<number>
}

/** The user's words of a command line; undefined where it does not fit the form. */
export function ownWords({ words }: Form, given: readonly string[]): readonly string[] | undefined {
  const parts = words.match(/\[.+?\]|\S+/g) ?? []
  const needed = parts.filter((part) => !part.startsWith('['))
  const most = words.includes('…') ? Number.POSITIVE_INFINITY : parts.length
  const isFixed = (at: number) => needed[at] !== undefined && needed[at] !== needed[at].toUpperCase()
  const fits = needed.every((part, at) => (isFixed(at) ? given[at] === part : Boolean(given[at])))
  return fits && given.length <= most ? given.filter((_, at) => !isFixed(at)) : undefined
}

/** The fixed words of a form, as its options are explained by. */
export const verbOf = ({ words }: Form): string => /^[^A-Z[]*/.exec(words)?.[0].trim() ?? ''

/** The first option that a form does not take, and the verbs that take it. `--by` belongs to every form. */
export function strayOption(form: Form, options: Options, forms: readonly Form[]) {
  const takes = (one: Form, name: string) => new RegExp(`--${name}\\b`).test(one.options ?? '')
  const name = Object.keys(options).find((one) => one !== 'by' && !takes(form, one))
  return name === undefined ? undefined : { name, verbs: forms.filter((one) => takes(one, name)).map(verbOf) }
}

/** The forms, one to a line. */
export const usageOf = (forms: readonly Form[]): string =>
  forms
    .map(({ words, options }, at) => {
      const line = `npm run operator -- ${words}${options === undefined ? '' : ` ${options}`}`
      return `${at === 0 ? 'usage:' : '      '} ${line}`
    })
    .join('\n')

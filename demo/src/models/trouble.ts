import type { IncomingHttpHeaders } from 'node:http'
import { Refused } from './errors.ts'

/**
 * What can go wrong on request:
 * - `error-N` answers with status N, `reset` resets the connection, `silence` never answers;
 * - `die-in-stream` closes the connection after half of the answer, `error-in-stream` sends an error there (an
 *   unstreamed call gets a 500), `endless-line` sends one endless line, `slow-first` waits before the first byte;
 * - `no-usage`, `usage-twice` (streams only), `usage-negative`, `usage-huge` falsify the usage; `usage-only-end`
 *   reports it only with the finish reason, requested or not; `cached` reports half of the prompt as read from a cache, a
 *   quarter as written;
 * - `split-utf8` puts multi-byte characters into the text and cuts each of them between two chunks.
 */
export const TROUBLES = [
  'error-400',
  'error-401',
  'error-429',
  'error-500',
  'reset',
  'silence',
  'die-in-stream',
  'error-in-stream',
  'no-usage',
  'usage-twice',
  'usage-negative',
  'usage-huge',
  'usage-only-end',
  'slow-first',
  'cached',
  'split-utf8',
  'endless-line',
] as const
export type Trouble = (typeof TROUBLES)[number]

/** What a request asked of the sample besides its API. */
export interface Trial {
  /** The model's name without its suffixes. */
  readonly model: string
  readonly trouble: Trouble | undefined
  /** The delay before the first byte, and between the frames of a stream. */
  readonly delayMs: number | undefined
}

const isTrouble = (word: string): word is Trouble => TROUBLES.some((trouble) => trouble === word)

/**
 * Reads `x-sample-trouble` and `x-sample-delay-ms`, or the same from a model's name, which a router passes on even if
 * it passes no headers: `sample-small:no-usage`, `sample-small:delay-20`, `sample-small:die-in-stream:delay-20`.
 * @throws Refused 400 for a word that is neither
 */
export function trialOf(headers: IncomingHttpHeaders, name: string): Trial {
  const [model = '', ...suffixes] = name.split(':')
  const asked = [headers['x-sample-trouble'] ?? [], suffixes].flat()
  if (headers['x-sample-delay-ms'] !== undefined) asked.push(`delay-${headers['x-sample-delay-ms']}`)
  let trouble: Trouble | undefined
  let delayMs: number | undefined
  for (const word of asked) {
    const delay = /^delay-(\d{1,6})$/.exec(word)?.[1]
    if (delay !== undefined) delayMs = Number(delay)
    else if (isTrouble(word)) trouble = word
    else throw new Refused(400, `The sample models know no trouble '${word}'.`, { param: 'model' })
  }
  return { model, trouble, delayMs }
}

/** @throws Refused with the status that the trouble names */
export function refuseIfAsked(trouble: Trouble | undefined): void {
  const status = /^error-(\d+)$/.exec(trouble ?? '')?.[1]
  if (status) throw new Refused(Number(status), `The request asked for an error ${status}.`)
}

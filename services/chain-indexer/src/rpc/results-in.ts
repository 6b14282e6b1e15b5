import type { HttpAnswer } from './http.ts'
import { garbage, ProviderError } from './provider-error.ts'

/**
 * The results in an answer to calls, in the order of the calls, whose ids are their indexes.
 * @throws ProviderError of the first call without a result
 */
export function resultsIn(answer: HttpAnswer, calls: readonly { readonly method: string }[]): unknown[] {
  const parsed = parseJson(answer.body)
  if (answer.status === 429) throw new ProviderError('rate_limited', 'HTTP 429', answer)
  // Several providers send JSON-RPC errors with 400 and the like: the message tells more than the status.
  const said = errorOf(parsed)
  if (said) throw refusal(said)
  if (answer.status !== 200) throw new ProviderError('http', `HTTP ${answer.status}`, answer)
  const answers = Array.isArray(parsed) ? parsed : [parsed]
  const byId = new Map(answers.map((one: unknown) => [isObject(one) ? one.id : undefined, one]))
  return calls.map(({ method }, id) => {
    const one = byId.get(id)
    const error = errorOf(one)
    if (error) throw refusal(error)
    if (!isObject(one) || one.result === undefined) throw garbage(`a JSON-RPC answer to ${method}`)
    return one.result
  })
}

/** An object from a provider, with unknown members. */
export type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const errorOf = (answer: unknown): Fields | undefined =>
  isObject(answer) && isObject(answer.error) ? answer.error : undefined

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const RATE = /rate limit|too many requests|requests? per (second|minute|day)|compute units|quota/i

/** A refusal with the provider's message, truncated because it is logged. */
function refusal({ code, message }: Fields): ProviderError {
  const words = typeof message === 'string' ? message.slice(0, 300) : 'without words'
  const fault = code === 429 || RATE.test(words) ? 'rate_limited' : 'refused'
  return new ProviderError(fault, words)
}

import { answersTo } from '../../../demo/src/models/answer.ts'
import { modelFor } from '../../../demo/src/models/catalog.ts'
import { chat } from '../../../demo/src/models/chat.ts'
import type { Json } from '../../../demo/src/models/json.ts'
import { messages } from '../../../demo/src/models/messages.ts'
import { promptTokens } from '../../../demo/src/models/prompt.ts'
import { responses } from '../../../demo/src/models/responses.ts'
import { tokensIn } from '../../../demo/src/models/tokens.ts'
import { trialOf } from '../../../demo/src/models/trouble.ts'
import { type Usage, usageOf } from '../../../demo/src/models/usage.ts'
import type { Call } from '../../../demo/src/sample-models.ts'
import { PICO } from './sold.ts'

/** The seed of the sample provider: with it and a body, an answer's usage can be computed. */
export const SEED = 7

const APIS = { '/v1/chat/completions': chat, '/v1/responses': responses, '/v1/messages': messages } as const

const isText = (path: string): path is keyof typeof APIS => path in APIS

/**
 * What the sample provider bills for a request that it answers completely, in nano-USD: computed from the body it
 * received, independent of the Router. @returns undefined where it reports no usage
 */
export function billedFor({ path, body: given }: Pick<Call, 'path' | 'body'>): bigint | undefined {
  const body = given as Json
  const { model, trouble } = trialOf({}, String(body.model))
  if (!isText(path)) return nanoOf(usageOf(tokensIn(String(body.input)), [], trouble))
  const prompt = APIS[path].prompt(body)
  const answers = answersTo(prompt, { model: modelFor(model, 'text'), seed: SEED, trouble })
  return nanoOf(usageOf(promptTokens(prompt), answers, trouble))
}

/** Rounded up once. */
function nanoOf(usage: Usage | undefined): bigint | undefined {
  if (!usage) return undefined
  const { fresh, cacheRead, cacheWrite, output } = usage
  const input = BigInt(fresh) * PICO.fresh + BigInt(cacheRead) * PICO.cacheRead + BigInt(cacheWrite) * PICO.cacheWrite
  return (input + BigInt(output) * PICO.output + 999n) / 1_000n
}

import { MINUTE_MS } from '@callboard/values'
import { z } from 'zod'
import type { ModelEntry, UpstreamEntry } from '../domain/model.ts'
import { upstreamBody } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import { chatUsage } from '../domain/usage.ts'
import type { Upstreams } from '../models/upstreams.ts'

const PROMPT = 'Say yes.'
const messages = [{ role: 'user', content: PROMPT }]
/** The shortest call for each surface. */
const BODIES: Readonly<Record<Surface, Readonly<Record<string, unknown>>>> = {
  chat: { messages },
  messages: { messages },
  responses: { input: PROMPT },
  embeddings: { input: PROMPT },
}
/** The shortest answer length that each API accepts. */
const SHORTEST: Readonly<Record<Surface, number>> = { chat: 1, messages: 1, responses: 16, embeddings: 1 }

/** An API's error; its message is not printed, as some repeat part of the key. */
const Failed = z.object({ error: z.object({ code: z.string().nullish(), type: z.string().nullish() }) })

const InNumbers = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) })

interface Called extends Pick<ModelEntry, 'capabilities'> {
  readonly upstream: UpstreamEntry
  readonly model: string
}

/** Asks an upstream for one token of a model in each API in which the Router calls it. @returns what is wrong, in words */
export async function callEachApi(
  pools: Upstreams,
  { upstream, model, capabilities }: Called,
): Promise<string | undefined> {
  const surfaces = surfacesOf(upstream, capabilities)
  for (const surface of surfaces) {
    const problem = await callOnce(pools, { upstream, model, surface })
    if (problem !== undefined) return surfaces.length === 1 ? problem : `${problem} (${surface})`
  }
  return undefined
}

async function callOnce(
  pools: Upstreams,
  { upstream, model, surface }: Pick<Called, 'upstream' | 'model'> & { readonly surface: Surface },
): Promise<string | undefined> {
  const { lengthField, base64 } = upstream
  const maxOutput = SHORTEST[surface]
  const asked = { ...BODIES[surface], ...(surface === 'embeddings' && base64 ? { encoding_format: 'base64' } : {}) }
  const put = upstreamBody(surface, asked, { model, maxOutput, askUsage: false, lengthField })
  try {
    const signal = AbortSignal.timeout(MINUTE_MS)
    const { statusCode: status, body } = await pools.send(upstream, { surface, body: JSON.stringify(put), signal })
    const json: unknown = await body.json().catch(() => undefined)
    if (status < 300 && json === undefined) return 'answers what is no JSON'
    if (status < 300) return tooLong(surface, json, maxOutput) ?? inNumbers(json, asked)
    const { error } = Failed.safeParse(json).data ?? { error: {} }
    return `answers ${status} ${error.code ?? error.type ?? ''}`.trimEnd()
  } catch (error) {
    return `does not answer: ${error instanceof Error ? error.message || error.name : String(error)}`
  }
}

/** No hold covers an upstream that ignores the length that it is asked for: its excess would be the operator's. */
function tooLong(surface: Surface, json: unknown, maxOutput: number): string | undefined {
  const outputTokens = surface === 'chat' ? chatUsage(json)?.outputTokens : undefined
  if (outputTokens === undefined || outputTokens <= maxOutput) return undefined
  return `answers ${outputTokens} tokens where ${maxOutput} was asked for: its lengthField may be max_tokens`
}

/** A batch that fits into what is read of an answer in base64 may not fit in numbers. */
function inNumbers(json: unknown, { encoding_format: format }: { readonly encoding_format?: string }) {
  const isInNumbers = format !== undefined && InNumbers.safeParse(json).success
  return isInNumbers ? 'sends embeddings as numbers where base64 was asked for: its base64 is false' : undefined
}

/** The surfaces of an upstream's shape in which it is called; messages are translated to a chat. */
function surfacesOf({ shape }: UpstreamEntry, capabilities: ModelEntry['capabilities']): readonly Surface[] {
  if (shape === 'anthropic') return ['messages']
  return [...new Set(capabilities.map((one) => (one === 'messages' ? 'chat' : one)))]
}

import type { Random } from '../random.ts'
import { EMBEDDING_MODELS, SOUND, TEXT_MODELS } from './sold.ts'

export type Surface = 'chat' | 'responses' | 'messages' | 'embeddings'

/** A call as determined by the seed; when it is sent, and which faults it meets, is not. */
export interface PlannedCall {
  readonly name: string
  readonly surface: Surface
  readonly stream: boolean
  readonly model: string
  readonly maxTokens: number | undefined
  /** When its client leaves. */
  readonly leavesAfterMs: number | undefined
  /** Whether it carries a payment, which it repeats until its outcome is known. */
  readonly pays: boolean
  /** The index of the key that sends it. */
  readonly key: number
}

const SURFACES: readonly Surface[] = [
  'chat',
  'chat',
  'chat',
  'responses',
  'responses',
  'messages',
  'messages',
  'embeddings',
]

/** One in this many calls carries a payment, one in eight is abandoned, and one in five gives no length. */
const ONE_PAYS_OF = 70
const ONE_LEAVES_OF = 8
const ONE_OPEN_OF = 5
const LEAVES_WITHIN_MS = 500

export function plannedCalls(random: Random, calls: number, keys: number): PlannedCall[] {
  const one = (of: number) => random.below(of) === 0
  return Array.from({ length: calls }, (_, at) => {
    const pays = one(ONE_PAYS_OF)
    const surface = pays ? 'chat' : random.pick(SURFACES)
    const isText = surface !== 'embeddings'
    return {
      name: `walk-${at};`,
      surface,
      stream: isText && random.below(2) === 0,
      model: pays ? SOUND : random.pick(isText ? TEXT_MODELS : EMBEDDING_MODELS),
      maxTokens: isText && !one(ONE_OPEN_OF) ? 10 + random.below(70) : undefined,
      leavesAfterMs: !pays && one(ONE_LEAVES_OF) ? random.below(LEAVES_WITHIN_MS) : undefined,
      pays,
      key: random.below(keys),
    }
  })
}

const QUESTION = 'What does a listing need before an agent finds it and pays for a call?'

interface Request {
  readonly path: string
  readonly body: object
}

/** A call's request. Its prompt starts with its name, unchanged by gateways, to ask the upstream about it. */
export function requestOf({ name, surface, stream, model, maxTokens }: PlannedCall): Request {
  const content = `${name} ${QUESTION}`
  const common = { model, ...(stream ? { stream } : {}) }
  switch (surface) {
    case 'chat': {
      const usage = stream ? { stream_options: { include_usage: true } } : {}
      const body = { ...common, ...usage, max_tokens: maxTokens, messages: [{ role: 'user', content }] }
      return { path: '/v1/chat/completions', body }
    }
    case 'responses':
      return { path: '/v1/responses', body: { ...common, max_output_tokens: maxTokens, input: content } }
    case 'messages': {
      // Anthropic's format requires a length.
      const body = { ...common, max_tokens: maxTokens ?? 100, messages: [{ role: 'user', content }] }
      return { path: '/v1/messages', body }
    }
    case 'embeddings':
      return { path: '/v1/embeddings', body: { model, input: content } }
  }
}

/** The name of the call to which a body belongs. */
export const nameIn = (body: unknown): string | undefined => /walk-\d+;/.exec(JSON.stringify(body ?? null))?.[0]

/** The end of each surface's complete stream. */
export const LAST_WORD: Readonly<Record<Surface, RegExp>> = {
  chat: /^data: \[DONE\]$/m,
  responses: /"type":"response\.(completed|incomplete)"/,
  messages: /"type":"message_stop"/,
  embeddings: /(?!)/,
}

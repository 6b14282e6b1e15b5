import { randomBytes } from 'node:crypto'
import type { Api, Completion } from '../../../demo/src/models/api.ts'
import { chat } from '../../../demo/src/models/chat.ts'
import type { Frame } from '../../../demo/src/models/delivery.ts'
import type { Json } from '../../../demo/src/models/json.ts'
import { messages } from '../../../demo/src/models/messages.ts'
import { promptTokens } from '../../../demo/src/models/prompt.ts'
import { responses } from '../../../demo/src/models/responses.ts'
import { tokensIn } from '../../../demo/src/models/tokens.ts'
import type { Behaviour, Surface } from './cells.ts'
import type { Tokens } from './price.ts'

/** Where an answer pauses for its client to leave: one token, so that one frame of a stream contains all of it. */
export const PAUSE = 'directory'
const TEXT = `A listing needs a name, a price and an address that answers; the prober reads its offer first, and the ${PAUSE} shows it when a probe has found what it promises. An agent reads that offer, signs, and calls.`
const ARGUMENTS = JSON.stringify({ q: 'the weather of tomorrow, by the hour, for a town that nobody looks up' })
const TOOL = 'find_listing'

/** An upstream's prepared answer to a call. */
export interface Answer {
  readonly whole: Json
  readonly frames: readonly Frame[]
  /** Billed for the complete answer. */
  readonly tokens: Tokens
  /** Billed when it stopped after the word at which the client leaves. */
  readonly untilPause: Tokens
}

const APIS: Readonly<Record<Exclude<Surface, 'embeddings'>, Api>> = { chat, responses, messages }

/** The formats are those of the sample provider; tokens are counted by o200k, as it does. */
export function answerTo(surface: Surface, behaviour: Behaviour, body: Json): Answer {
  if (surface === 'embeddings') return embedded(behaviour, body)
  const api = APIS[surface]
  const input = promptTokens(api.prompt(body))
  const isTool = behaviour === 'tools only'
  const text = isTool ? ARGUMENTS : TEXT
  const output = tokensIn(text) + (isTool ? tokensIn(TOOL) : 0)
  const cacheRead = behaviour === 'cached tokens' ? input >> 1 : 0
  const tokens = { fresh: input - cacheRead, cacheRead, output }
  const completion: Completion = {
    ...{ id: randomBytes(16).toString('hex'), created: 1_795_339_800, model: String(body.model), body },
    answers: [
      { text, tool: isTool ? TOOL : undefined, finish: isTool ? 'tool' : 'stop', stoppedBy: undefined, tokens: output },
    ],
    usage: behaviour === 'usage missing' ? undefined : { ...tokens, cacheWrite: 0 },
    trouble: behaviour === 'usage only at the end' ? 'usage-only-end' : undefined,
  }
  const untilPause = { ...tokens, output: tokensIn(TEXT.slice(0, TEXT.indexOf(PAUSE) + PAUSE.length)) }
  return { whole: api.whole(completion), frames: api.frames(completion), tokens, untilPause }
}

function embedded(behaviour: Behaviour, { model, input }: Json): Answer {
  const prompt = tokensIn(String(input))
  const usage = behaviour === 'usage missing' ? {} : { usage: { prompt_tokens: prompt, total_tokens: prompt } }
  const data = [{ object: 'embedding', index: 0, embedding: Array.from({ length: 64 }, (_, at) => at / 64) }]
  const tokens = { fresh: prompt, cacheRead: 0, output: 0 }
  return { whole: { object: 'list', data, model, ...usage }, frames: [], tokens, untilPause: tokens }
}

/** A frame as sent. */
export const wire = ({ event, data }: Frame): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { answersTo } from './answer.ts'
import type { Api } from './api.ts'
import { list, modelFor, retrieve } from './catalog.ts'
import { chat } from './chat.ts'
import { deliver, type Reply } from './delivery.ts'
import { embeddings } from './embeddings.ts'
import { type Dialect, errorBody, headersOf, Refused } from './errors.ts'
import { isObject, type Json, string } from './json.ts'
import type { Line, OpenCall } from './line.ts'
import { messages, messagesPrompt } from './messages.ts'
import { promptTokens } from './prompt.ts'
import { responses } from './responses.ts'
import { refuseIfAsked, type Trial, trialOf } from './trouble.ts'
import { usageOf } from './usage.ts'

interface Settings {
  readonly seed: number
  readonly apiKey: string | undefined
}

type Replying = (body: Json, trial: Trial, seed: number) => Reply

const MODELS = '/v1/models'
const MOST_BYTES = 16 * 1024 * 1024

const ROUTES: Readonly<Record<string, Replying>> = {
  '/v1/chat/completions': completionOf(chat),
  '/v1/responses': completionOf(responses),
  '/v1/messages': completionOf(messages),
  '/v1/responses/input_tokens': (body, { model }) => {
    modelFor(model, 'text')
    return { body: { object: 'response.input_tokens', input_tokens: promptTokens(responses.prompt(body)) } }
  },
  '/v1/messages/count_tokens': (body, { model }) => {
    modelFor(model, 'text')
    return { body: { input_tokens: promptTokens(messagesPrompt(body)) } }
  },
  '/v1/embeddings': (body, { model, trouble }) => {
    modelFor(model, 'embeddings')
    return { body: embeddings(body, string(body.model), trouble) }
  },
}

/** Answers the requests of one server; the returned promise never rejects. */
export function answering({
  seed,
  apiKey,
}: Settings): (req: IncomingMessage, line: Line, call: OpenCall) => Promise<void> {
  return async (req, line, call) => {
    const dialect = dialectOf(req, call.path)
    const onFrame = () => {
      call.frames += 1
    }
    const requestId = `req_${randomBytes(12).toString('hex')}`
    try {
      if (apiKey !== undefined && keyOf(req) !== apiKey) throw new Refused(401, 'The API key is not correct.')
      const { reply, trial } = await replyTo(req, call, seed)
      const headers = headersOf(dialect, requestId)
      await deliver(line, reply, { trial, headers, onFrame })
    } catch (error) {
      if (line.gone.aborted) return
      if (call.status !== 0) return line.die()
      const refused = error instanceof Refused ? error : new Refused(500, `The sample failed: ${error}`)
      const headers = headersOf(dialect, requestId, refused.status)
      line.open(refused.status, { ...headers, 'content-type': 'application/json' })
      await line.write(JSON.stringify(errorBody(dialect, refused, requestId))).catch(() => {})
      line.end()
    }
  }
}

async function replyTo(
  req: IncomingMessage,
  call: OpenCall,
  seed: number,
): Promise<{ readonly reply: Reply; readonly trial: Trial }> {
  if (req.method === 'GET' && `${call.path}/`.startsWith(`${MODELS}/`)) {
    const trial = trialOf(req.headers, '')
    refuseIfAsked(trial.trouble)
    const id = decodeURIComponent(call.path.slice(MODELS.length + 1))
    return { reply: { body: id === '' ? list() : retrieve(id) }, trial }
  }
  const replying = ROUTES[call.path]
  if (req.method !== 'POST' || !replying) throw new Refused(404, `There is no ${req.method} ${call.path}.`)
  const body = await readBody(req)
  call.body = body
  const trial = trialOf(req.headers, string(body.model))
  refuseIfAsked(trial.trouble)
  return { reply: replying(body, trial, seed), trial }
}

function completionOf(api: Api): Replying {
  return (body, trial, seed) => {
    const { trouble } = trial
    const model = modelFor(trial.model, 'text')
    const prompt = api.prompt(body)
    const answers = answersTo(prompt, { model, seed, trouble })
    const completion = {
      id: randomBytes(16).toString('hex'),
      created: Math.floor(Date.now() / 1000),
      model: string(body.model),
      body,
      answers,
      usage: usageOf(promptTokens(prompt), answers, trouble),
      trouble,
    }
    if (body.stream !== true) return { body: api.whole(completion) }
    return { frames: api.frames(completion), broken: api.broken }
  }
}

async function readBody(req: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new Refused(413, `The request is longer than ${MOST_BYTES} bytes.`)
    parts.push(part)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString())
    if (isObject(body)) return body
  } catch {}
  throw new Refused(400, 'The body of the request is not a JSON object.')
}

/** Anthropic's clients send a version, even where both APIs have the same path. */
const dialectOf = ({ headers }: IncomingMessage, path: string): Dialect =>
  path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined ? 'anthropic' : 'openai'

function keyOf({ headers }: IncomingMessage): string | undefined {
  return headers['x-api-key']?.toString() ?? /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
}

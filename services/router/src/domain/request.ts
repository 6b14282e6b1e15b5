import { isObject } from '@callboard/x402'
import { MAX_ANSWER_BYTES } from './answered/gathered-bytes.ts'
import { fileUnits, isFile, isImage, partsIn, toolsIn } from './asked/prompt-parts.ts'
import { unpricedIn } from './asked/unpriced.ts'
import { type Json, listOf, textOf } from './json.ts'
import { PROMPT_FAULTS } from './prompt.ts'
import type { Surface } from './surface.ts'

/** The parts of a request that decide its cost and how it is answered. */
export interface ModelRequest {
  readonly model: string
  readonly stream: boolean
  /** Whether the client of a streamed chat completion asked for the usage chunk. */
  readonly wantsUsage: boolean
  /** The longest answer that the client wants, in tokens; undefined if it does not say. */
  readonly maxOutput: number | undefined
  /** The longest answer of one choice that is accepted from an upstream, in tokens. */
  readonly longestRead: number
  /** Answers to the same prompt. */
  readonly choices: number
  /** Texts to embed, each of which may fill the model's context; 1 for a prompt. */
  readonly texts: number
  readonly images: number
  /** Whether it has files, whose tokens only the model's context bounds. */
  readonly hasFiles: boolean
  /** The length of its files as they were sent, in UTF-16 units; infinite if one is at a URL. */
  readonly fileUnits: number
  /** The most tokens that the provider adds on its own. */
  readonly addedTokens: number
}

export type ReadRequest =
  | { readonly ok: true; readonly request: ModelRequest }
  | { readonly ok: false; readonly field: string; readonly message: string }

type Body = Readonly<Record<string, unknown>>

const MOST_CHOICES = 16
const MOST_IMAGES = 64
/** Every part is looked at before the call is admitted, and no other call proceeds meanwhile. */
const MOST_PARTS = 50_000
const MOST_TOKENS = 10_000_000
/** The members that bound an answer; the first that is set counts. */
const LENGTHS: Readonly<Record<Surface, readonly string[]>> = {
  chat: ['max_completion_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
  embeddings: [],
}
/** A token, or an alternative to it, with its probability and its bytes, in JSON; most take half of this. */
const LOGPROB_BYTES = 160
/** The most that a provider writes before a prompt with tools, and for each tool that it describes itself. */
const TOOLS_PROMPT_TOKENS = 1_000

const refused = (field: string, message: string): ReadRequest => ({ ok: false, field, message })

/** Reads the body of a call; members that it does not know are left to the upstream. */
export function readRequest(surface: Surface, body: unknown): ReadRequest {
  if (!isObject(body)) return refused('body', 'must be an object')
  const { model } = body
  if (typeof model !== 'string' || model === '' || model.length > 128) return refused('model', 'must be a model’s id')
  const promptField = surface === 'chat' || surface === 'messages' ? 'messages' : 'input'
  const wrong = PROMPT_FAULTS[surface](body[promptField])
  if (wrong) return refused(promptField, wrong)
  const parts = partsIn([body[promptField], body.system])
    .take(MOST_PARTS + 1)
    .toArray()
  if (parts.length > MOST_PARTS) return refused(promptField, `must have at most ${MOST_PARTS} parts`)
  const unpriced = unpricedIn(surface, body)
  if (unpriced) return refused(unpriced.field, unpriced.message)
  const { stream = null, stream_options: options = null } = body
  if (stream !== null && typeof stream !== 'boolean') return refused('stream', 'must be true or false')
  if (options !== null && !isObject(options)) return refused('stream_options', 'must be an object')
  for (const field of LENGTHS[surface]) {
    const given = body[field] ?? undefined
    if (given !== undefined && !isWithin(given, MOST_TOKENS))
      return refused(field, `must be 1 to ${MOST_TOKENS} tokens`)
  }
  const maxOutput = LENGTHS[surface].map((field) => body[field] ?? undefined).find((given) => given !== undefined)
  if (surface === 'messages' && maxOutput === undefined) return refused('max_tokens', 'is required')
  const choices = surface === 'chat' ? (body.n ?? 1) : 1
  if (!isWithin(choices, MOST_CHOICES)) return refused('n', `must be 1 to ${MOST_CHOICES}`)
  const images = parts.filter(isImage).length
  const files = parts.filter(isFile)
  if (images > MOST_IMAGES) return refused(promptField, `must have at most ${MOST_IMAGES} images`)
  return {
    ok: true,
    request: {
      model,
      stream: surface !== 'embeddings' && stream === true,
      wantsUsage: surface === 'chat' && options?.include_usage === true,
      maxOutput: maxOutput as number | undefined,
      longestRead: longestReadOf(surface, body, choices),
      choices,
      texts: surface === 'embeddings' ? textsIn(body.input) : 1,
      images,
      hasFiles: files.length > 0,
      fileUnits: files.reduce((units, file) => units + fileUnits(file), 0),
      addedTokens: addedTokens([...listOf(body.tools), ...parts.flatMap(toolsIn)]),
    },
  }
}

/**
 * An answer is read whole, and so is the last event of a response, which repeats all of it. With alternatives to each
 * token, its length could exceed what is read: the provider would be paid for it, and its client could not be charged.
 */
function longestReadOf(surface: Surface, { stream, logprobs, top_logprobs: top }: Body, choices: number): number {
  const isWhole = surface === 'responses' || (surface === 'chat' && stream !== true)
  const perToken = Number.isInteger(top) && (top as number) > 0 ? 1 + (top as number) : logprobs === true ? 1 : 0
  if (!isWhole || perToken === 0) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.floor(MAX_ANSWER_BYTES / (LOGPROB_BYTES * perToken * choices)))
}

/** A list of numbers is one text, in tokens. */
const textsIn = (input: unknown): number => (Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1)

const addedTokens = (tools: readonly Json[]): number =>
  tools.length === 0 ? 0 : TOOLS_PROMPT_TOKENS * (1 + tools.filter(({ type }) => /_\d{8}$/.test(textOf(type))).length)

const isWithin = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most

/** How a call is adapted to one of its upstreams. */
export interface Put {
  /** The model's name there. */
  readonly model: string
  readonly maxOutput: number
  readonly askUsage: boolean
  /** The only member by which it bounds a chat's answer, if it has no other. */
  readonly lengthField?: string | undefined
}

/**
 * The body for an upstream: the client's own, with the upstream's name for the model, a bounded answer, and usage
 * requested. Responses set `store` to false, since the upstream keeps them by default.
 */
export function upstreamBody(
  surface: Surface,
  body: Body,
  { model, maxOutput, askUsage, lengthField }: Put,
): Record<string, unknown> {
  const fields = surface === 'chat' && lengthField !== undefined ? [lengthField] : LENGTHS[surface]
  const unknown = LENGTHS[surface].filter((name) => !fields.includes(name))
  const given = fields.filter((name) => body[name] !== undefined && body[name] !== null)
  const bounds = (given.length > 0 ? given : fields.slice(0, 1)).map((name) => [name, maxOutput])
  const bounded = {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !unknown.includes(name))),
    model,
    ...Object.fromEntries(bounds),
    ...(surface === 'responses' ? { store: false } : {}),
  }
  if (surface !== 'chat' || body.stream !== true || !askUsage) return bounded
  const options = isObject(body.stream_options) ? body.stream_options : {}
  return { ...bounded, stream_options: { ...options, include_usage: true } }
}

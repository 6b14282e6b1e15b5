import { z } from 'zod'
import { PriceRow } from './price.ts'
import { withPublicPrice } from './public-models.ts'

const positive = z.int('must be a whole number').positive('must be at least 1')
const timeoutMs = (fallback: number) => positive.max(3_600_000, 'must be at most an hour').default(fallback)
const ModelId = z.string().min(1, 'must not be empty').max(128, 'must have at most 128 characters')
const UpstreamName = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens')

const BaseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).refine((text) => {
  const url = URL.parse(text)
  return !url || [url.username, url.password, url.search, url.hash].every((part) => part === '')
}, 'must not carry credentials, a query or a fragment')

/** A server that has models, and how to call it. */
export const UpstreamEntry = z
  .strictObject({
    name: UpstreamName,
    /** A surface's path is appended to it. */
    baseUrl: BaseUrl,
    /** The API that it speaks. */
    shape: z.enum(['openai', 'anthropic']),
    /** The environment variable with its API key. */
    apiKeyEnv: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
      .optional(),
    /** The file with its API key. */
    apiKeyFile: z.string().min(1, 'must not be empty').optional(),
    connectTimeoutMs: timeoutMs(2_000),
    firstByteTimeoutMs: timeoutMs(60_000),
    /** The same for an answer that is not streamed, whose first byte comes when all of it is written. */
    wholeTimeoutMs: timeoutMs(300_000),
    /** How long a stream may be silent. */
    idleTimeoutMs: timeoutMs(60_000),
    /** Asks a second upstream in parallel if no response head arrives in this time; both may bill. Never if absent. */
    hedgeAfterMs: positive.max(3_600_000, 'must be at most an hour').optional(),
    /** Whether it bills an answer whose client left before the first words; we are paid for what arrived either way. */
    cancelled: z.enum(['estimate', 'free']).default('estimate'),
    /** Whether it supports `stream_options.include_usage`. */
    includeUsage: z.boolean().default(true),
    /** The only member by which it bounds a chat's answer; if absent, it knows `max_completion_tokens` and `max_tokens`. */
    lengthField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
    /** Whether it sends embeddings in base64 where that is asked for. */
    base64: z.boolean().default(true),
  })
  .refine(({ apiKeyEnv, apiKeyFile }) => apiKeyEnv === undefined || apiKeyFile === undefined, {
    path: ['apiKeyFile'],
    error: 'must not be set together with apiKeyEnv',
  })
export type UpstreamEntry = z.output<typeof UpstreamEntry>

/** A model on sale: its capabilities, its prices, and the upstreams that have it. */
export const ModelEntry = z.strictObject({
  id: ModelId,
  ownedBy: z.string().min(1, 'must not be empty').max(128, 'must have at most 128 characters'),
  /** Unix seconds. */
  created: z.int('must be a whole number').min(0, 'must be at least 0'),
  contextTokens: positive,
  maxOutputTokens: positive,
  capabilities: z.array(z.enum(['chat', 'messages', 'responses', 'embeddings'])).min(1, 'must name at least one'),
  /** The most input tokens that one image counts as. */
  imageTokens: z.int('must be a whole number').min(0, 'must be at least 0').optional(),
  /** The most numbers that one embedding has. */
  dimensions: positive.optional(),
  price: PriceRow,
  upstreams: z
    .array(
      z.strictObject({
        /** The name of an upstream. */
        upstream: z.string(),
        /** The model's name there; its id if absent. */
        model: ModelId.optional(),
        /** How often it is asked first, relative to the others. */
        weight: z.number('must be a number').positive('must be more than 0').default(1),
      }),
    )
    .min(1, 'must name at least one'),
})
export type ModelEntry = z.output<typeof ModelEntry>

/** The models on sale and the upstreams that have them. */
export const RouterModels = z
  .strictObject({ upstreams: z.array(UpstreamEntry), models: z.array(z.preprocess(priced, ModelEntry)) })
  .superRefine(({ upstreams, models }, ctx) => {
    const fault = (path: PropertyKey[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    const names = upstreams.map(({ name }) => name)
    const ids = models.map(({ id }) => id)
    for (const at of repeats(names)) fault(['upstreams', at, 'name'], `${names[at]} is the name of an earlier upstream`)
    for (const at of repeats(ids)) fault(['models', at, 'id'], `${ids[at]} is the id of an earlier model`)
    for (const [at, model] of models.entries()) {
      for (const [index, { upstream }] of model.upstreams.entries()) {
        if (!names.includes(upstream)) {
          fault(['models', at, 'upstreams', index, 'upstream'], `there is no upstream ${upstream}`)
        }
      }
      const shapes = model.upstreams.map(({ upstream }) => upstreams.find(({ name }) => name === upstream)?.shape)
      // Anthropic's API has no equivalent; everything else can be translated into the other shape.
      const embeddings = model.capabilities.indexOf('embeddings')
      if (embeddings >= 0 && shapes.length > 0 && shapes.every((shape) => shape === 'anthropic')) {
        fault(['models', at, 'capabilities', embeddings], 'embeddings needs an upstream of shape openai')
      }
    }
  })
export type RouterModels = z.output<typeof RouterModels>

function priced(value: unknown, ctx: z.RefinementCtx): unknown {
  const read = withPublicPrice(value)
  if ('value' in read) return read.value
  ctx.addIssue({ code: 'custom', path: [...read.fault.path], message: read.fault.message })
  return z.NEVER
}

const repeats = (words: readonly string[]): number[] =>
  [...words.keys()].filter((at) => words.indexOf(words[at] ?? '') < at)

/** A fault in a file, and its place. */
export interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** A fault in words: "models.0.id: is missing". */
export const faultText = ({ path, message }: Fault): string => `${path.join('.') || 'file'}: ${message}`

type ReadModels =
  | { readonly ok: true; readonly models: RouterModels }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * Reads the models from a parsed file.
 * @returns if anything is wrong, all faults, each with its path and reason
 */
export function readModels(value: unknown): ReadModels {
  const read = RouterModels.safeParse(value, { error: reasonOf })
  if (read.success) return { ok: true, models: read.data }
  return { ok: false, faults: read.error.issues }
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
}

/** Explains a refusal of a schema that has no message of its own. */
function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`
  if (issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return undefined
}

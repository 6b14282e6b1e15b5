import { hash } from './chain.ts'
import { Refused } from './errors.ts'
import { type Json, strings } from './json.ts'
import { countOf } from './prompt.ts'
import { tokenIds } from './tokens.ts'
import type { Trouble } from './trouble.ts'
import { inputOf, usageOf } from './usage.ts'

const DIMENSIONS = 64

/**
 * The answer of `POST /v1/embeddings`: each token of an input adds to one dimension or subtracts from it, and the sum
 * is normalised to unit length. Texts with tokens in common are close to each other, and equal texts have equal
 * vectors.
 * @throws Refused 400
 */
export function embeddings(body: Json, model: string, trouble: Trouble | undefined): Json {
  const inputs = inputsOf(body.input)
  const dimensions = countOf(body, 'dimensions') ?? DIMENSIONS
  if (dimensions > DIMENSIONS) throw refused('dimensions', `'dimensions' is at most ${DIMENSIONS}.`)
  const usage = usageOf(inputs.flat().length, [], trouble)
  const data = inputs.map((tokens, index) => {
    const vector = vectorOf(tokens, dimensions)
    return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? base64(vector) : [...vector] }
  })
  const used = usage ? { usage: { prompt_tokens: inputOf(usage), total_tokens: inputOf(usage) } } : {}
  return { object: 'list', data, model, ...used }
}

/** Converts texts to tokens; an input may already be tokens. */
function inputsOf(input: unknown): readonly (readonly number[])[] {
  const texts = strings(input)
  const members = [input].flat()
  const inputs = isTokens(input)
    ? [input]
    : texts.length === members.length
      ? texts.map(tokenIds)
      : members.length > 0 && Array.isArray(input) && input.every(isTokens)
        ? input
        : []
  if (inputs.length > 0 && inputs.every((tokens) => tokens.length > 0)) return inputs
  throw refused('input', "'input' must be text or tokens, one or several, and not empty.")
}

const isTokens = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isSafeInteger)

function vectorOf(tokens: readonly number[], dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const token of tokens) {
    const place = hash(String(token))
    const at = place % dimensions
    sums[at] = (sums[at] ?? 0) + (place & 0x8000 ? 1 : -1)
  }
  const length = Math.hypot(...sums)
  // Tokens that cancel each other out still need a direction.
  return length === 0
    ? Float32Array.from(sums, (_, at) => (at === 0 ? 1 : 0))
    : Float32Array.from(sums, (sum) => sum / length)
}

/** Four bytes per number, little-endian, as OpenAI's clients read them. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}

const refused = (param: string, message: string): Refused => new Refused(400, message, { param })

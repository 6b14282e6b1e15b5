import { MAX_ANSWER_BYTES } from '../answered/gathered-bytes.ts'
import type { Json } from '../json.ts'
import type { ModelEntry } from '../model.ts'

/** A number as JSON, with its comma, and with the indentation that some providers write. */
const NUMBER_BYTES = 32
/** An embedding in base64 has four bytes for each number. */
const FLOAT_BYTES = 4
/** The names and the index beside an embedding. */
const FRAME_BYTES = 256

/**
 * The most texts of one request whose embeddings fit into what is read of an answer. Of a longer answer the client gets
 * nothing and cannot be charged, but the provider has to be paid.
 * @param base64 whether every upstream of the model sends base64 where that is asked for
 * @returns undefined if neither the request nor the model says how many numbers an embedding has
 * @source OpenAI API, embeddings: `dimensions`, `encoding_format`
 */
export function mostEmbedded(
  { dimensions, encoding_format: format }: Json,
  model: ModelEntry,
  base64 = true,
): number | undefined {
  const numbers = Math.min(isCount(dimensions) ? dimensions : Infinity, model.dimensions ?? Infinity)
  if (numbers === Infinity) return undefined
  const bytes = base64 && format === 'base64' ? 4 * Math.ceil((FLOAT_BYTES * numbers) / 3) : NUMBER_BYTES * numbers
  return Math.max(1, Math.floor(MAX_ANSWER_BYTES / (bytes + FRAME_BYTES)))
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

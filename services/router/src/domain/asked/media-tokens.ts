import type { ModelEntry } from '../model.ts'
import type { ModelRequest } from '../request.ts'

/** The tokens of an image whose model has no bound for them: a picture of a megapixel at most providers. */
const IMAGE_TOKENS = 1_000
/** UTF-16 units of base64 per token: 2,000 tokens for a page of 24 kB. */
const FILE_UNITS_PER_TOKEN = 16
/** A file at a URL counts as this part of the input that is held for it. */
const SHARE_OF_INPUT = 3

/**
 * The estimated tokens of a request's images and files, which only its provider can count.
 * @param inputTokens the most input tokens of the call; the estimate is no more
 */
export function mediaTokens(
  { images, fileUnits }: Pick<ModelRequest, 'images' | 'fileUnits'>,
  { imageTokens = IMAGE_TOKENS }: Pick<ModelEntry, 'imageTokens'>,
  inputTokens: number,
): number {
  const isHere = Number.isFinite(fileUnits)
  const files = Math.ceil(isHere ? fileUnits / FILE_UNITS_PER_TOKEN : inputTokens / SHARE_OF_INPUT)
  return Math.min(images * imageTokens + files, inputTokens)
}

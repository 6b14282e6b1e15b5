import { isObject } from '@callboard/x402'
import { type Json, objectOf, textOf } from '../json.ts'

const IMAGES: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image', 'computer_screenshot'])
const FILES: ReadonlySet<unknown> = new Set(['file', 'input_file'])

/** Every object of a prompt, results of tools and documents included; without recursion, at any depth. */
export function* partsIn(prompt: unknown): Generator<Json, undefined> {
  const left = [prompt]
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value)) for (const one of value) left.push(one)
    if (!isObject(value)) continue
    yield value
    left.push(value.content, value.output, value.source)
  }
}

export const isImage = ({ type }: Json): boolean => IMAGES.has(type)

/** A part whose tokens neither its bytes nor a number of images bounds: a file that is packed, or stands at a URL. */
export function isFile({ type, source }: Json): boolean {
  const from = objectOf(source).type
  return FILES.has(type) || (type === 'document' && (from === 'base64' || from === 'url'))
}

/** A part that the request does not hold: it names what the provider keeps, for all who call with the operator's key. */
export const isKeptElsewhere = ({ type, file_id, file, audio }: Json): boolean =>
  type === 'item_reference' ||
  type === 'container_upload' ||
  [file_id, objectOf(file).file_id, objectOf(audio).id].some((id) => textOf(id) !== '')

/** Sound, whose tokens cost more than those of text. */
export const isSound = ({ type }: Json): boolean => type === 'input_audio' || type === 'audio'

/** A mark of a cache that is kept for an hour, which costs more to write than one of five minutes. */
export const isLongCache = ({ cache_control: control }: Json): boolean => {
  const { ttl } = objectOf(control)
  return ttl !== undefined && ttl !== null && ttl !== '5m'
}

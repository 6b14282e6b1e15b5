import { isObject } from '@callboard/x402'
import { type Json, listOf, objectOf, textOf } from '../json.ts'

const IMAGES: ReadonlySet<unknown> = new Set([
  'image_url',
  'input_image',
  'image',
  'computer_screenshot',
  'image_generation_call',
])
const FILES: ReadonlySet<unknown> = new Set(['file', 'input_file', 'file_url', 'video', 'video_url', 'input_video'])
const SOUNDS: ReadonlySet<unknown> = new Set(['audio', 'input_audio', 'audio_url'])

/** Every object of a prompt at any depth, including tool results and documents; not recursive. */
export function* partsIn(prompt: unknown): Generator<Json, undefined> {
  const left: unknown[] = []
  const look = (value: unknown) => {
    if (typeof value === 'object' && value !== null) left.push(value)
  }
  look(prompt)
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value)) for (const one of value) look(one)
    if (!isObject(value)) continue
    yield value
    for (const inner of [value.content, value.output, value.source]) look(inner)
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Whether a part is an image: by its type, or by the member that has its URL. vLLM goes by the member if a part has no
 * type, or a `uuid`; so do {@link isFile} and {@link isSound}.
 */
export const isImage = ({ type, image_url: url }: Json): boolean => IMAGES.has(type) || isGiven(url)

/**
 * Whether a part's tokens are bounded neither by its bytes nor by an image count: an encoded file or video, or one at a
 * URL, even in the place of an image.
 */
export function isFile({ type, source, video_url: url, image_url: image }: Json): boolean {
  const from = objectOf(source).type
  const isDocument = type === 'document' && (from === 'base64' || from === 'url')
  return FILES.has(type) || isGiven(url) || isDocument || NO_PICTURE.test(urlOf(image))
}

/** The URL of an image, which chats have in an object and responses have as text. */
const urlOf = (image: unknown): string => textOf(image) || textOf(objectOf(image).url)

/**
 * A URL of a file or a video: by the type of what is in it, by its ending, or by what it has its provider do.
 * @source LiteLLM, PDF data URIs in image_url; Fireworks, document inlining
 */
const NO_PICTURE =
  /^data:(application\/(?!octet-stream)|text\/|video\/)|^(?!data:)[^?#]*\.(pdf|mp4|mov|webm)([?#]|$)|#transform=inline/i
const SOUND = /^data:audio\//i

/**
 * The length of a file as it was sent, in UTF-16 units of its encoding; infinite if its bytes are elsewhere.
 * @param part for which {@link isFile} is true
 */
export function fileUnits(part: Json): number {
  const sent = Object.entries(part)
    .flatMap((member) => (isObject(member[1]) ? Object.entries(member[1]) : [member]))
    .filter(([name]) => /(data|url)$/.test(name))
    .map(([, value]) => textOf(value))
  const isHere = sent.some((text) => text !== '') && !sent.some((text) => ELSEWHERE.test(text))
  return isHere ? sent.reduce((units, { length }) => units + length, 0) : Number.POSITIVE_INFINITY
}

/** A URL, except one that has its bytes in itself. */
const ELSEWHERE = /^(?!data:)[a-z][a-z0-9+.-]*:/i

/** Whether a part only names content kept at the provider, which all callers of the operator's key would share. */
export const isKeptElsewhere = (part: Json): boolean =>
  isReference(part) ||
  part.type === 'container_upload' ||
  [part.file_id, objectOf(part.file).file_id, objectOf(part.audio).id].some((id) => textOf(id) !== '')

/**
 * Whether a part is an item by its id. A reference needs no type, and a picture that the provider made needs no content.
 * @source OpenAI API, ItemReference, ImageGenerationCall
 */
const isReference = ({ type, id, role, result }: Json): boolean =>
  type === 'item_reference' ||
  (type === 'image_generation_call' && textOf(result) === '') ||
  (!isGiven(type) && !isGiven(role) && textOf(id) !== '')

/** Whether a part is audio, whose tokens cost more than text. */
export const isSound = ({ type, audio_url: url, input_audio: audio, image_url: image }: Json): boolean =>
  SOUNDS.has(type) || isGiven(url) || isGiven(audio) || SOUND.test(urlOf(image))

/** Whether a part has the provider shorten the prompt, for which a model writes a summary. */
export const isSummaryAsked = ({ type }: Json): boolean => type === 'compaction_trigger'

/**
 * The tools that a part of a prompt adds to those of the request.
 * @source OpenAI API, AdditionalTools, ToolSearchOutput; Anthropic API, tool_addition
 */
export const toolsIn = ({ tools, tool }: Json): readonly Json[] => [
  ...listOf(tools),
  ...listOf([objectOf(tool).definition]),
]

/** Whether a part asks for an hour-long cache, which costs more to write than the five-minute one. */
export const isLongCache = ({ cache_control: control, tool_calls: calls }: Json): boolean => {
  const { ttl } = objectOf(control)
  // LiteLLM takes the mark on the calls of a chat, too.
  return (isGiven(ttl) && ttl !== '5m') || listOf(calls).some(isLongCache)
}

import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import { Untranslatable } from './untranslatable.ts'

const DATA_URL = /^data:([^;,]+);base64,/
const PDF = 'application/pdf'

/** Converts the content of a chat message, text or parts, to blocks of a message. @throws Untranslatable */
export function blocksOf(content: unknown): Json[] {
  if (typeof content === 'string') return textBlock(content)
  return listOf(content).flatMap(blocksOfPart)
}

function blocksOfPart(part: Json): Json[] {
  const cache = cacheOf(part)
  switch (part.type) {
    case 'text':
    case 'refusal':
      return textBlock(textOf(part.text ?? part.refusal), cache)
    case 'image_url':
      return [{ type: 'image', source: sourceOf(textOf(objectOf(part.image_url).url)), ...cache }]
    case 'file':
      return [documentOf(objectOf(part.file), cache)]
    default:
      throw new Untranslatable(
        'messages',
        `have a part of type ${textOf(part.type)}, which no provider of this model reads`,
      )
  }
}

/** Text as blocks; empty text has none, as the API refuses it. */
const textBlock = (text: string, more: Json = {}): Json[] => (text === '' ? [] : [{ type: 'text', text, ...more }])

/** The mark at the end of a cached prefix: the API's own member, or OpenAI's. */
export function cacheOf({ cache_control: control, prompt_cache_breakpoint: breakpoint }: Json): Json {
  if (control) return { cache_control: control }
  return breakpoint ? { cache_control: { type: 'ephemeral' } } : {}
}

function sourceOf(url: string): Json {
  const [start, type] = DATA_URL.exec(url) ?? []
  if (start !== undefined) return { type: 'base64', media_type: type, data: url.slice(start.length) }
  if (/^https?:/.test(url)) return { type: 'url', url }
  throw new Untranslatable('messages', 'have an image that is neither base64 nor at a URL')
}

function documentOf({ file_data: data, filename }: Json, cache: Json): Json {
  const source = typeof data === 'string' && DATA_URL.test(data) ? sourceOf(data) : {}
  if (source.media_type !== PDF) throw new Untranslatable('messages', 'have a file that is not a PDF in base64')
  return { type: 'document', source, ...(typeof filename === 'string' ? { title: filename } : {}), ...cache }
}

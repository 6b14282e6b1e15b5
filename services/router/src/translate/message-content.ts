import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import { Untranslatable } from './untranslatable.ts'

/** Converts the content of a message, text or blocks, to parts of a chat message. @throws Untranslatable */
export const partsOf = (content: unknown): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).flatMap(partsOfBlock)

function partsOfBlock(block: Json): Json[] {
  const source = objectOf(block.source)
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: textOf(block.text) }]
    case 'image':
      return [{ type: 'image_url', image_url: { url: urlOf(source) } }]
    case 'document':
      return partsOfDocument(source, block.title)
    default:
      throw new Untranslatable(
        'messages',
        `have a block of type ${textOf(block.type)}, which no provider of this model reads`,
      )
  }
}

function urlOf({ type, media_type, data, url }: Json): string {
  if (type === 'base64') return `data:${textOf(media_type)};base64,${textOf(data)}`
  if (type === 'url') return textOf(url)
  throw new Untranslatable('messages', 'have an image that is neither base64 nor at a URL')
}

function partsOfDocument(source: Json, title: unknown): Json[] {
  const { type, data, content } = source
  if (type === 'text') return [{ type: 'text', text: textOf(data) }]
  if (type === 'content') return partsOf(typeof content === 'string' ? content : listOf(content).map(notDocument))
  if (type !== 'base64') throw new Untranslatable('messages', 'have a document that is neither text nor base64')
  return [{ type: 'file', file: { filename: textOf(title) || 'document.pdf', file_data: urlOf(source) } }]
}

/** A block inside a document, which must not be another document. */
function notDocument(block: Json): Json {
  if (block.type === 'document') throw new Untranslatable('messages', 'have a document in a document')
  return block
}

/** Parts as the content of a chat message: a single text becomes a string, which every provider accepts. */
export function contentOf(parts: readonly Json[]): unknown {
  const [only, ...more] = parts
  return more.length === 0 && only?.type === 'text' ? only.text : parts
}

/** The text of parts, for a message that takes nothing else. */
export const textIn = (parts: readonly Json[], between: string): string =>
  parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join(between)

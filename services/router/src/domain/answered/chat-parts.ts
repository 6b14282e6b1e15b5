import { type Json, listOf, textOf } from '../json.ts'

/**
 * The text of a chat's content. Most providers send it as such; those that send their reasoning along send a list of
 * parts.
 * @source Mistral API, TextChunk
 */
export const textOfContent = (content: unknown): string =>
  typeof content === 'string' ? content : partsOf(content, 'text', ({ text }) => textOf(text))

/**
 * The reasoning in a chat's content; empty for providers that have a member of their own for it.
 * @source Mistral API, ThinkChunk
 */
export const thinkingOfContent = (content: unknown): string =>
  partsOf(content, 'thinking', ({ thinking }) => textOfContent(thinking))

/** The reasoning in a message of a chat, whichever member its provider has for it. */
export const reasoningIn = ({ reasoning_content, reasoning, content }: Json): string =>
  textOf(reasoning_content) || textOf(reasoning) || thinkingOfContent(content)

const partsOf = (content: unknown, type: string, of: (part: Json) => string): string =>
  listOf(content)
    .filter((part) => part.type === type)
    .map(of)
    .join('')

import { isObject } from '@callboard/x402'
import { isFile, isImage, isSound } from '../domain/asked/prompt-parts.ts'
import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import type { Surface } from '../domain/surface.ts'

/** The parts of a request that are counted. */
export interface CountedPrompt {
  /** The role and text of each message. */
  readonly messages: readonly (readonly [role: string, text: string])[]
  /** Tools as JSON; empty where there are none. */
  readonly tools: string
}

/** Whether a part is not text. */
const isMedium = (part: Json): boolean =>
  isImage(part) || isFile(part) || isSound(part) || /image|audio|video|file|document/.test(textOf(part.type))

/** The words of a request in any shape. */
export function promptOf(surface: Surface, body: Json): CountedPrompt {
  const said = SAID[surface](body)
  return {
    messages: said.map(({ role, content, more }) => [role, [...textsOf(content), ...more].join('')]),
    tools: toolsOf(body.tools),
  }
}

interface SaidBy {
  readonly role: string
  readonly content: unknown
  readonly more: readonly string[]
}

const saidBy = (role: unknown, content: unknown, ...more: readonly unknown[]): SaidBy => ({
  role: textOf(role),
  content,
  more: more.filter((value) => value !== undefined).map((value) => JSON.stringify(value)),
})

const SAID: Readonly<Record<Surface, (body: Json) => SaidBy[]>> = {
  chat: ({ messages }) => listOf(messages).map(({ role, content, tool_calls }) => saidBy(role, content, tool_calls)),
  messages: ({ system, messages }) => [
    ...(system === undefined ? [] : [saidBy('system', system)]),
    ...listOf(messages).map(({ role, content }) => saidBy(role, content)),
  ],
  responses: ({ instructions, input }) => [
    ...(typeof instructions === 'string' ? [saidBy('system', instructions)] : []),
    ...(typeof input === 'string' ? [saidBy('user', input)] : listOf(input).map(itemOf)),
  ],
  embeddings: () => [],
}

function itemOf({ role, content, name, arguments: given, output }: Json): SaidBy {
  return saidBy(role ?? (output === undefined ? 'assistant' : 'tool'), content ?? output, name, given)
}

/** The parts of a content, including those of a tool's result and of a document. */
const partsOf = (content: unknown): readonly Json[] =>
  listOf(content).flatMap((part) => {
    const source = objectOf(part.source)
    if (part.type !== 'document') return Array.isArray(part.content) ? partsOf(part.content) : [part]
    const text = source.type === 'text' ? source.data : source.content
    if (typeof text === 'string') return [{ type: 'text', text }]
    return source.type === 'content' ? partsOf(text) : [part]
  })

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return partsOf(content)
    .filter((part) => !isMedium(part))
    .map((part) => (typeof part.text === 'string' ? part.text : JSON.stringify(part)))
}

/** The tools in one form, regardless of which API describes them. */
function toolsOf(tools: unknown): string {
  const described = listOf(tools).map((tool) => {
    const { name, description, parameters, input_schema } = isObject(tool.function) ? tool.function : tool
    return { name: textOf(name), description: textOf(description), parameters: parameters ?? input_schema ?? {} }
  })
  return described.length === 0 ? '' : JSON.stringify(described)
}

/** The texts of a request for embeddings, and the number of tokens that it passes as numbers. */
export function embeddedOf({ input }: Json): { readonly texts: string[]; readonly tokens: number } {
  const all = Array.isArray(input) ? input.flat() : [input]
  return {
    texts: all.filter((one) => typeof one === 'string'),
    tokens: all.filter((one) => typeof one === 'number').length,
  }
}

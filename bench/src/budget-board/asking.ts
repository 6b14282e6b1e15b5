import type { Cell, Surface } from './cells.ts'
import { MAX_TOKENS } from './price.ts'

export const PATHS: Readonly<Record<Surface, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  embeddings: '/v1/embeddings',
}

const QUESTION = 'What does a listing need before an agent finds it and pays for a call? Say it in one paragraph.'
/** A few hundred tokens, so that a call costs as much as the others. */
const LONG = Array.from({ length: 5 }, () => QUESTION).join(' ')

/** A prompt contains the name of its call, which no gateway changes. */
const NAMED = /cell-(\d+)-call-(\d+);/
export const nameOf = (cell: Cell, call: number): string => `cell-${cell.id}-call-${call};`

/** The cell and the call named in a request's body. */
export function namedIn(body: string): { readonly cell: number; readonly call: number } | undefined {
  const found = NAMED.exec(body)
  return found ? { cell: Number(found[1]), call: Number(found[2]) } : undefined
}

const TOOL = {
  name: 'find_listing',
  description: 'Finds a listing by words.',
  schema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
}
const TOOLS: Readonly<Record<Surface, readonly object[]>> = {
  chat: [{ type: 'function', function: { ...described(), parameters: TOOL.schema } }],
  responses: [{ type: 'function', ...described(), parameters: TOOL.schema }],
  messages: [{ ...described(), input_schema: TOOL.schema }],
  embeddings: [],
}

function described() {
  return { name: TOOL.name, description: TOOL.description }
}

/** The body of a call in the surface's format. A client that streams a chat does not ask for its usage. */
export function bodyOf(cell: Cell, call: number, model: string): object {
  const { surface, stream, behaviour } = cell
  const content = `${nameOf(cell, call)} ${surface === 'embeddings' ? LONG : QUESTION}`
  const tools = behaviour === 'tools only' ? { tools: TOOLS[surface] } : {}
  const common = { model, ...(stream ? { stream } : {}), ...tools }
  switch (surface) {
    case 'embeddings':
      return { model, input: content, encoding_format: 'float' }
    case 'responses':
      return { ...common, input: content, max_output_tokens: MAX_TOKENS }
    case 'chat':
    case 'messages':
      return { ...common, messages: [{ role: 'user', content }], max_tokens: MAX_TOKENS }
  }
}

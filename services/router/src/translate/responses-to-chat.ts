import { hasMoreValues } from '@callboard/x402'
import { given, type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import { anything, refuseUnasked, type Unasked, Untranslatable } from './untranslatable.ts'

const UNASKED: Unasked = { top_logprobs: (count) => anything(count) && count !== 0 }
/** Members, objects and lists of sealed reasoning, of which each block that a provider signed has some five. */
const MOST_SEALED = 10_000
/** The roles of a message, by its author: the model, or those who instruct it. */
const ROLES = ['user', 'assistant', 'system', 'developer']

/**
 * Converts a request for a response to one for a chat completion; the sender sets its length.
 * @throws Untranslatable
 */
export function responsesToChat(body: Json): Json {
  refuseUnasked(body, UNASKED)
  const { temperature, top_p, stream, user, safety_identifier, parallel_tool_calls, instructions, input } = body
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  const tools = listOf(body.tools).map(toolOf)
  return given({
    ...{ temperature, top_p, stream, user, safety_identifier, parallel_tool_calls },
    ...(tools.length > 0 ? { tools, tool_choice: choiceOf(body.tool_choice) } : {}),
    reasoning_effort: objectOf(body.reasoning).effort,
    response_format: formatOf(objectOf(body.text).format),
    messages: [...system, ...joined(items.map(messageOf))],
  })
}

function formatOf(format: unknown): Json | undefined {
  const { type, ...described } = objectOf(format)
  if (type === undefined) return undefined
  return type === 'json_schema' ? { type, json_schema: described } : { type }
}

function toolOf({ type, name, description, parameters, strict }: Json): Json {
  if (type !== 'function') throw new Untranslatable('tools', `have one of type ${textOf(type)}, not a function`)
  return { type, function: given({ name, description, parameters, strict }) }
}

function choiceOf(choice: unknown): unknown {
  const { type, name } = objectOf(choice)
  return type === 'function' ? { type, function: { name } } : choice
}

/** An item of the input as a chat message. */
function messageOf(item: Json): Json {
  const { type = 'message', role, content, call_id: id, name, output } = item
  switch (type) {
    case 'message':
      if (!ROLES.includes(textOf(role))) throw new Untranslatable('input', 'has a message without a role')
      return { role, content: typeof content === 'string' ? content : listOf(content).map(partOf) }
    case 'function_call':
      return {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name, arguments: item.arguments } }],
      }
    case 'function_call_output':
      return {
        role: 'tool',
        tool_call_id: id,
        content: typeof output === 'string' ? output : listOf(output).map(partOf),
      }
    case 'reasoning':
      return { role: 'assistant', reasoning_details: detailsIn(item.encrypted_content) }
    default:
      throw new Untranslatable('input', `has an item of type ${textOf(type)}, which no provider of this model reads`)
  }
}

function partOf(part: Json): Json {
  const { type, text, refusal, image_url: url, file_data, filename } = part
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text }
  if (type === 'refusal') return { type, refusal }
  if (type === 'input_image' && typeof url === 'string') return { type: 'image_url', image_url: { url } }
  if (type === 'input_file' && file_data !== undefined) return { type: 'file', file: { file_data, filename } }
  throw new Untranslatable('input', `has a part of type ${textOf(type)} that no provider of this model reads`)
}

/** Seals a response's reasoning, so that it comes back with the next request. */
export const sealed = (details: readonly Json[]): string => Buffer.from(JSON.stringify(details)).toString('base64')

function detailsIn(seal: unknown): readonly Json[] {
  try {
    const json = Buffer.from(textOf(seal), 'base64')
    return hasMoreValues(json, MOST_SEALED) ? [] : listOf(JSON.parse(json.toString()))
  } catch {
    // Sealed by another provider, which alone can read it.
    return []
  }
}

/** Joins the reasoning, text and calls of one turn, which are separate items, into one chat message. */
function joined(messages: readonly Json[]): Json[] {
  const turns: { readonly messages: Json[]; hasContent: boolean }[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    const isAnswer = last?.messages[0]?.role === 'assistant' && message.role === 'assistant'
    const hasContent = Boolean(message.content)
    if (!last || !isAnswer || (last.hasContent && hasContent)) turns.push({ messages: [message], hasContent })
    else {
      last.messages.push(message)
      last.hasContent ||= hasContent
    }
  }
  return turns.map((turn) => turnOf(turn.messages))
}

/** One message of all of a turn. Its lists are joined at once: many items may each add to them. */
function turnOf(items: readonly Json[]): Json {
  const [first = {}, ...more] = items
  if (more.length === 0) return first
  const turn: Record<string, unknown> = {}
  // An item without text leaves the text of another one as it is.
  for (const { content, ...item } of items) Object.assign(turn, item, content ? { content } : {})
  for (const name of ['tool_calls', 'reasoning_details']) {
    const list = items.flatMap((item) => listOf(item[name]))
    if (list.length > 0) turn[name] = list
  }
  return turn
}

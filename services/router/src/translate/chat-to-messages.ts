import { given, type Json, listOf, objectIn, objectOf, textOf } from '../domain/json.ts'
import { blocksOf, cacheOf } from './chat-content.ts'
import { thinkingOf } from './reasoning.ts'
import { anything, refuseUnasked, type Unasked, Untranslatable } from './untranslatable.ts'

/** Members that change an answer's shape and have no equivalent; those that only shade its wording are left out. */
const UNASKED: Unasked = {
  n: (n) => anything(n) && n !== 1,
  logprobs: anything,
  functions: anything,
  audio: anything,
  web_search_options: anything,
  modalities: (modalities) => Array.isArray(modalities) && modalities.some((modality) => modality !== 'text'),
}
const MAX_TEMPERATURE = 1

/**
 * Converts a request for a chat completion to one for a message; the sender sets its length.
 * @throws Untranslatable
 */
export function chatToMessages(body: Json): Json {
  refuseUnasked(body, UNASKED)
  const { temperature, top_p, top_k, stop, stream, thinking } = body
  const said = listOf(body.messages)
  const system = said.filter(isSystem).flatMap(({ content }) => blocksOf(content))
  return given({
    ...{ temperature: cooled(temperature), top_p, top_k, stream, ...toolsOf(body), ...reasoningOf(body) },
    ...(thinking ? { thinking } : {}),
    stop_sequences: typeof stop === 'string' ? [stop] : stop,
    system: system.length > 0 ? system : undefined,
    metadata: userOf(body),
    messages: turnsOf(said.filter((message) => !isSystem(message))),
  })
}

const isSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer'

const cooled = (temperature: unknown): unknown =>
  typeof temperature === 'number' ? Math.min(temperature, MAX_TEMPERATURE) : temperature

function userOf({ safety_identifier, user }: Json): Json | undefined {
  const id = safety_identifier ?? user
  return typeof id === 'string' ? { user_id: id } : undefined
}

/** The reasoning effort, and the answer's format. */
function reasoningOf({ reasoning_effort: effort, response_format: format, thinking }: Json): Json {
  const isOff = effort === 'none'
  const asked = given({ effort: isOff ? undefined : effort === 'minimal' ? 'low' : effort, format: formatOf(format) })
  return {
    ...(isOff && !thinking ? { thinking: { type: 'disabled' } } : {}),
    ...(Object.keys(asked).length > 0 ? { output_config: asked } : {}),
  }
}

function formatOf(format: unknown): Json | undefined {
  const { type = 'text', json_schema: described } = objectOf(format)
  if (type === 'text') return undefined
  if (type === 'json_schema') return { type, schema: objectOf(objectOf(described).schema) }
  throw new Untranslatable('response_format', 'must be text or json_schema for this model')
}

function toolsOf({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Json): Json {
  const known = listOf(tools)
  if (known.length === 0) return {}
  const single = parallel === false ? { disable_parallel_tool_use: true } : {}
  const chosen = choiceOf(choice)
  const isBare = !chosen && parallel !== false
  return {
    tools: known.map(toolOf),
    ...(isBare ? {} : { tool_choice: { ...(chosen ?? { type: 'auto' }), ...(chosen?.type === 'none' ? {} : single) } }),
  }
}

function toolOf(tool: Json): Json {
  if (tool.type !== 'function')
    throw new Untranslatable('tools', `have one of type ${textOf(tool.type)}, not a function`)
  const { name, description, parameters, strict } = objectOf(tool.function)
  const schema = { type: 'object', ...objectOf(parameters) }
  return {
    ...given({ name, description, strict: strict === true ? true : undefined }),
    input_schema: schema,
    ...cacheOf(tool),
  }
}

function choiceOf(choice: unknown): Json | undefined {
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (choice === 'required') return { type: 'any' }
  const { type, function: named } = objectOf(choice)
  if (type === 'function') return { type: 'tool', name: objectOf(named).name }
  throw new Untranslatable('tool_choice', 'must be auto, none, required or a function for this model')
}

/** The turns of a conversation: consecutive messages of one side, and the results of tools, form one turn. */
function turnsOf(said: readonly Json[]): Json[] {
  const turns: { role: string; content: Json[] }[] = []
  for (const message of said) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = contentOf(message)
    const last = turns.at(-1)
    if (last?.role === role) for (const block of content) last.content.push(block)
    else if (content.length > 0) turns.push({ role, content })
  }
  return turns
}

function contentOf(message: Json): Json[] {
  const { role, content, refusal, tool_calls: calls, tool_call_id: id } = message
  switch (role) {
    case 'user':
      return blocksOf(content)
    case 'assistant':
      return [...thinkingOf(message), ...blocksOf(content ?? refusal), ...listOf(calls).map(toolUseOf)]
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: id, content: blocksOf(content), ...cacheOf(message) }]
    default:
      throw new Untranslatable(
        'messages',
        `have one with the role ${textOf(role)}, which no provider of this model knows`,
      )
  }
}

/** A tool call; truncated arguments become empty. */
function toolUseOf({ id, type, function: called }: Json): Json {
  if (type !== undefined && type !== 'function')
    throw new Untranslatable('messages', 'have a call to something that is not a function')
  const { name, arguments: text } = objectOf(called)
  return { type: 'tool_use', id, name, input: objectIn(textOf(text)) ?? {} }
}

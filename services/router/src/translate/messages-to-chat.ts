import { given, type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import { contentOf, partsOf, textIn } from './message-content.ts'
import { anything, refuseUnasked, type Unasked, Untranslatable } from './untranslatable.ts'

const UNASKED: Unasked = { mcp_servers: anything, container: anything }
/** The longest user name that OpenAI accepts. */
const MAX_USER = 64
/** Up to this share of the longest answer, a thinking budget is a low or a medium effort. */
const [LOW, MEDIUM] = [0.35, 0.65]

/**
 * Converts a request for a message to one for a chat completion; the sender sets its length.
 * @throws Untranslatable
 */
export function messagesToChat(body: Json): Json {
  refuseUnasked(body, UNASKED)
  const { temperature, top_p, stop_sequences: stop, stream, system, messages, metadata } = body
  const user = textOf(objectOf(metadata).user_id)
  const instructions = system === undefined || system === null ? [] : partsOf(system)
  return given({
    ...{ temperature, top_p, stop, stream, ...toolsOf(body), reasoning_effort: effortOf(body) },
    response_format: formatOf(objectOf(body.output_config).format),
    user: user !== '' && user.length <= MAX_USER ? user : undefined,
    messages: [
      ...(instructions.length > 0 ? [{ role: 'system', content: contentOf(instructions) }] : []),
      ...listOf(messages).flatMap(messagesOf),
    ],
  })
}

/** Whether the client reads blocks of thinking. */
export const wantsThinking = ({ thinking }: Json): boolean =>
  ['enabled', 'adaptive', 'between_tools'].includes(textOf(objectOf(thinking).type))

function effortOf({ thinking, output_config: config, max_tokens: most }: Json): string | undefined {
  const effort = textOf(objectOf(config).effort)
  if (effort !== '') return effort === 'max' ? 'xhigh' : effort
  const { type, budget_tokens: budget } = objectOf(thinking)
  if (type !== 'enabled' || typeof budget !== 'number' || typeof most !== 'number') return undefined
  const share = budget / most
  if (share <= LOW) return 'low'
  return share <= MEDIUM ? 'medium' : 'high'
}

function formatOf(format: unknown): Json | undefined {
  const { type, schema } = objectOf(format)
  if (type === undefined) return undefined
  if (type !== 'json_schema') throw new Untranslatable('output_config', 'must have json_schema as its format')
  return { type, json_schema: { name: 'answer', schema, strict: true } }
}

function toolsOf({ tools, tool_choice: choice }: Json): Json {
  const known = listOf(tools)
  if (known.length === 0) return {}
  const { type, name, disable_parallel_tool_use: isSingle } = objectOf(choice)
  return given({
    tools: known.map(toolOf),
    tool_choice: choiceOf(type, name),
    parallel_tool_calls: isSingle === true ? false : undefined,
  })
}

function toolOf({ type, name, description, input_schema: parameters, strict }: Json): Json {
  if ((type ?? 'custom') !== 'custom') {
    throw new Untranslatable('tools', `have ${textOf(type)}, which runs at a provider that this model does not have`)
  }
  return { type: 'function', function: given({ name, description, parameters, strict }) }
}

function choiceOf(type: unknown, name: unknown): unknown {
  if (type === undefined || type === 'auto' || type === 'none') return type
  if (type === 'any') return 'required'
  if (type === 'tool') return { type: 'function', function: { name } }
  throw new Untranslatable('tool_choice', 'must be auto, any, tool or none')
}

function messagesOf({ role, content }: Json): Json[] {
  if (role === 'assistant') return assistantOf(content)
  if (role === 'system') return [{ role, content: contentOf(partsOf(content)) }]
  if (role !== 'user') throw new Untranslatable('messages', 'must each have user or assistant as role')
  const results = listOf(content).filter(isResult)
  const said = typeof content === 'string' ? partsOf(content) : partsOf(listOf(content).filter((one) => !isResult(one)))
  // A tool message takes only text: anything else in the result follows as the user's.
  const shown = results.flatMap(({ content: found }) => partsOf(found ?? []).filter((part) => !isText(part)))
  const rest = [...shown, ...said]
  return [...results.map(resultOf), ...(rest.length > 0 ? [{ role, content: contentOf(rest) }] : [])]
}

const isResult = ({ type }: Json): boolean => type === 'tool_result'
const isText = ({ type }: Json): boolean => type === 'text'

const resultOf = ({ tool_use_id: id, content }: Json): Json => ({
  role: 'tool',
  tool_call_id: id,
  content: textIn(partsOf(content ?? []), '\n'),
})

/** The model's text and tool calls; its thinking has no place in a chat, nor has an answer without either. */
function assistantOf(content: unknown): Json[] {
  const blocks = listOf(content)
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const rest = blocks.filter(({ type }) => !['tool_use', 'thinking', 'redacted_thinking'].includes(textOf(type)))
  const text = typeof content === 'string' ? content : textIn(partsOf(rest), '')
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
    },
  ]
}

const callOf = ({ id, name, input }: Json): Json => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(input ?? {}) },
})

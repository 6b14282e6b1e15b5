import type { Answer } from './answer.ts'
import { type Api, BROKEN, type Completion } from './api.ts'
import type { Frame } from './delivery.ts'
import { Refused } from './errors.ts'
import { isObject, type Json, member, objects, string, strings } from './json.ts'
import { countOf, messageOf, type Prompt, refuseEmpty, toolChoiceOf, toolOf } from './prompt.ts'
import { piecesOf } from './tokens.ts'
import type { Usage } from './usage.ts'

const STOP = { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' } as const

/**
 * `POST /v1/messages`.
 * @source Anthropic API, Messages and Streaming Messages
 */
export const messages: Api = {
  dialect: 'anthropic',
  prompt: (body) => {
    const asked = messagesPrompt(body)
    if (asked.maxTokens === undefined) throw new Refused(400, 'max_tokens: Field required')
    return asked
  },
  whole,
  frames,
  broken: named({ type: 'error', error: { type: 'overloaded_error', message: BROKEN } }),
}

/** The prompt of a request for a message, or for a token count, which needs no `max_tokens`. @throws Refused 400 */
export function messagesPrompt(body: Json): Prompt {
  const system = body.system === undefined ? [] : [messageOf('system', body.system)]
  const said = objects(body.messages).map(({ role, content }) => messageOf(roleOf(role, content), content))
  const format = member(member(body, 'output_config'), 'format')
  refuseEmpty({ messages: said }, 'messages')
  return {
    messages: [...system, ...said],
    tools: objects(body.tools).map((tool) => toolOf(tool, tool.input_schema)),
    toolChoice: toolChoiceOf(body.tool_choice),
    maxTokens: countOf(body, 'max_tokens'),
    stop: strings(body.stop_sequences),
    n: 1,
    schema: format.type === 'json_schema' ? member(format, 'schema') : undefined,
  }
}

/** A tool's result is sent as a user's message, but requests nothing. */
const roleOf = (role: unknown, content: unknown): string =>
  objects(content).some(({ type }) => type === 'tool_result') ? 'tool' : string(role)

function whole(completion: Completion): Json {
  const { id, answers, usage } = completion
  return {
    ...head(completion),
    content: answers.map((answer) => block(answer, id)),
    ...stopped(answers),
    ...(usage ? { usage: usageBody(usage) } : {}),
  }
}

const head = ({ id, model }: Completion): Json => ({ id: `msg_${id}`, type: 'message', role: 'assistant', model })

function block({ text, tool }: Answer, id: string): Json {
  return tool === undefined
    ? { type: 'text', text }
    : { type: 'tool_use', id: `toolu_${id}`, name: tool, input: parsed(text) }
}

/** Arguments that were cut short count as none. */
function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function stopped([answer]: readonly Answer[]): Json {
  if (answer?.stoppedBy !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: answer.stoppedBy }
  return { stop_reason: STOP[answer?.finish ?? 'stop'], stop_sequence: null }
}

function frames(completion: Completion): readonly Frame[] {
  const { id, answers, usage, trouble } = completion
  const onlyEnd = trouble === 'usage-only-end'
  // Its first event reports the prompt's length; the last one counts the output so far.
  const first = usage && !onlyEnd ? { usage: { ...usageBody(usage), output_tokens: 1 } } : {}
  const last = usage && { usage: onlyEnd ? usageBody(usage) : { output_tokens: usage.output } }
  const end = named({ type: 'message_delta', delta: stopped(answers), ...last })
  return [
    named({
      type: 'message_start',
      message: { ...head(completion), content: [], stop_reason: null, stop_sequence: null, ...first },
    }),
    ...answers.flatMap((answer, index) => blockFrames(answer, index, id)),
    ...(trouble === 'usage-twice' ? [end, end] : [end]),
    named({ type: 'message_stop' }),
  ]
}

function blockFrames(answer: Answer, index: number, id: string): readonly Frame[] {
  const delta = (piece: string): Json =>
    answer.tool === undefined ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece }
  return [
    named({ type: 'content_block_start', index, content_block: block({ ...answer, text: '' }, id) }),
    named({ type: 'ping' }),
    ...piecesOf(answer.text).map((piece) => named({ type: 'content_block_delta', index, delta: delta(piece) })),
    named({ type: 'content_block_stop', index }),
  ]
}

function named(data: Json & { readonly type: string }): Frame {
  return { event: data.type, data }
}

function usageBody({ fresh, cacheRead, cacheWrite, output }: Usage): Json {
  return {
    input_tokens: fresh,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}

import type { Answer } from './answer.ts'
import { type Api, BROKEN, type Completion } from './api.ts'
import type { Frame } from './delivery.ts'
import { type Json, member, objects, string } from './json.ts'
import { countOf, type Message, messageOf, type Prompt, refuseEmpty, toolChoiceOf, toolOf } from './prompt.ts'
import { piecesOf } from './tokens.ts'
import { inputOf, type Usage } from './usage.ts'

/**
 * `POST /v1/responses`, which has neither `n` nor `stop`.
 * @source openai-openapi 2.3.0, Response and ResponseStreamEvent
 */
export const responses: Api = {
  dialect: 'openai',
  prompt,
  whole: (completion) => response(completion),
  frames,
  broken: named({ type: 'error', code: 'server_error', message: BROKEN, param: null }),
}

function prompt(body: Json): Prompt {
  const { input, instructions } = body
  const system = typeof instructions === 'string' ? [messageOf('system', instructions)] : []
  const said = typeof input === 'string' ? [messageOf('user', input)] : objects(input).map(itemMessage)
  const format = member(member(body, 'text'), 'format')
  const asked: Prompt = {
    messages: [...system, ...said],
    tools: objects(body.tools).map((tool) => toolOf(tool, tool.parameters)),
    toolChoice: toolChoiceOf(body.tool_choice),
    maxTokens: countOf(body, 'max_output_tokens'),
    stop: [],
    n: 1,
    schema: format.type === 'json_schema' ? member(format, 'schema') : format.type === 'json_object' ? {} : undefined,
  }
  refuseEmpty(asked, 'input')
  return asked
}

/** A message, or a tool's call or result, which counts as its JSON. */
const itemMessage = (item: Json): Message =>
  typeof item.role === 'string' ? messageOf(item.role, item.content) : messageOf(string(item.type), [], item)

function response({ id, created, model, answers: [answer], usage, body }: Completion): Json {
  const isCut = answer?.finish === 'length'
  return {
    ...opened({ id, created, model, body }),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: answer ? [item(answer, id, answer.text, isCut ? 'incomplete' : 'completed')] : [],
    usage: usage ? usageBody(usage) : null,
  }
}

function opened({ id, created, model, body }: Pick<Completion, 'id' | 'created' | 'model' | 'body'>): Json {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: true,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    usage: null,
  }
}

function item({ tool }: Answer, id: string, text: string, status: string): Json {
  if (tool !== undefined) {
    return { id: itemId(tool, id), type: 'function_call', status, call_id: `call_${id}`, name: tool, arguments: text }
  }
  const content = status === 'in_progress' ? [] : [part(text)]
  return { id: itemId(tool, id), type: 'message', status, role: 'assistant', content }
}

const itemId = (tool: string | undefined, id: string): string => `${tool === undefined ? 'msg' : 'fc'}_${id}`

const part = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function frames(completion: Completion): readonly Frame[] {
  const { id, answers, trouble } = completion
  const final = response(completion)
  const end = { type: `response.${final.status}`, response: final }
  const start = opened(completion)
  const events = [
    { type: 'response.created', response: start },
    { type: 'response.in_progress', response: start },
    ...answers.flatMap((answer) => itemEvents(answer, id)),
    ...(trouble === 'usage-twice' ? [end, end] : [end]),
  ]
  return events.map((event, at) => named({ ...event, sequence_number: at }))
}

function itemEvents(answer: Answer, id: string): readonly (Json & { type: string })[] {
  const { text, tool, finish } = answer
  const at = { item_id: itemId(tool, id), output_index: 0 }
  const within = { ...at, content_index: 0 }
  const done = item(answer, id, text, finish === 'length' ? 'incomplete' : 'completed')
  const pieces = piecesOf(text)
  const inner =
    tool === undefined
      ? [
          { type: 'response.content_part.added', ...within, part: part('') },
          ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...within, delta, logprobs: [] })),
          { type: 'response.output_text.done', ...within, text, logprobs: [] },
          { type: 'response.content_part.done', ...within, part: part(text) },
        ]
      : [
          ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
          { type: 'response.function_call_arguments.done', ...at, name: tool, arguments: text },
        ]
  return [
    { type: 'response.output_item.added', output_index: 0, item: item(answer, id, '', 'in_progress') },
    ...inner,
    { type: 'response.output_item.done', output_index: 0, item: done },
  ]
}

function named(data: Json & { readonly type: string }): Frame {
  return { event: data.type, data }
}

function usageBody(usage: Usage): Json {
  const { cacheRead, cacheWrite, output } = usage
  const input = inputOf(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}

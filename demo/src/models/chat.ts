import type { Answer } from './answer.ts'
import { type Api, BROKEN, type Completion } from './api.ts'
import type { Frame } from './delivery.ts'
import { isObject, type Json, member, objects, string, strings } from './json.ts'
import { countOf, messageOf, type Prompt, refuseEmpty, toolChoiceOf, toolOf } from './prompt.ts'
import { piecesOf } from './tokens.ts'
import { inputOf, type Usage } from './usage.ts'

const FINISH = { stop: 'stop', length: 'length', tool: 'tool_calls' } as const

/**
 * `POST /v1/chat/completions`.
 * @source openai-openapi 2.3.0, CreateChatCompletionResponse and CreateChatCompletionStreamResponse
 */
export const chat: Api = { dialect: 'openai', prompt, whole, frames, broken: { data: brokenBody() } }

function prompt(body: Json): Prompt {
  const asked: Prompt = {
    messages: objects(body.messages).map(({ role, content, tool_calls }) =>
      messageOf(string(role), content, tool_calls),
    ),
    tools: objects(body.tools).map((tool) => toolOf(member(tool, 'function'), member(tool, 'function').parameters)),
    toolChoice: toolChoiceOf(body.tool_choice),
    maxTokens: countOf(body, 'max_completion_tokens', 'max_tokens'),
    stop: strings(body.stop),
    n: countOf(body, 'n') ?? 1,
    schema: schemaOf(body.response_format),
  }
  refuseEmpty(asked, 'messages')
  return asked
}

function schemaOf(format: unknown): Json | undefined {
  if (!isObject(format) || format.type === 'text') return undefined
  return format.type === 'json_schema' ? member(member(format, 'json_schema'), 'schema') : {}
}

function whole({ id, created, model, answers, usage }: Completion): Json {
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created,
    model,
    choices: answers.map((answer, index) => ({
      index,
      message: { role: 'assistant', refusal: null, ...said(answer, callId(id, index)) },
      logprobs: null,
      finish_reason: FINISH[answer.finish],
    })),
    ...(usage ? { usage: usageBody(usage) } : {}),
    service_tier: 'default',
  }
}

function said({ text, tool }: Answer, toolCallId: string): Json {
  if (tool === undefined) return { content: text }
  const call = { id: toolCallId, type: 'function', function: { name: tool, arguments: text } }
  return { content: null, tool_calls: [call] }
}

function frames(completion: Completion): readonly Frame[] {
  const { id, created, model, answers, usage, trouble, body } = completion
  const onlyEnd = trouble === 'usage-only-end'
  const asked = !onlyEnd && usage !== undefined && member(body, 'stream_options').include_usage === true
  const chunk = (choices: readonly Json[], more: Json = asked ? { usage: null } : {}): Frame => ({
    data: { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model, choices, ...more },
  })
  const choice = (index: number, delta: Json, finish: string | null = null): Json => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finish,
  })
  const deltas = answers.map((answer) => piecesOf(answer.text).map((piece) => deltaOf(answer, piece)))
  const longest = Math.max(...deltas.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => deltas.map((each) => each[turn]))
  const last = answers.length - 1
  return [
    ...answers.map((answer, index) => chunk([choice(index, opening(answer, callId(id, index)))])),
    ...turns.flatMap((turn) => turn.flatMap((delta, index) => (delta ? [chunk([choice(index, delta)])] : []))),
    ...answers.map(({ finish }, index) =>
      onlyEnd && usage && index === last
        ? chunk([choice(index, {}, FINISH[finish])], { usage: usageBody(usage) })
        : chunk([choice(index, {}, FINISH[finish])]),
    ),
    ...Array.from({ length: asked ? (trouble === 'usage-twice' ? 2 : 1) : 0 }, () =>
      chunk([], usage ? { usage: usageBody(usage) } : {}),
    ),
    { data: '[DONE]' },
  ]
}

function opening({ tool }: Answer, toolCallId: string): Json {
  if (tool === undefined) return { role: 'assistant', content: '', refusal: null }
  const call = { index: 0, id: toolCallId, type: 'function', function: { name: tool, arguments: '' } }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

const deltaOf = ({ tool }: Answer, piece: string): Json =>
  tool === undefined ? { content: piece } : { tool_calls: [{ index: 0, function: { arguments: piece } }] }

const callId = (id: string, index: number): string => `call_${id}${index}`

function usageBody(usage: Usage): Json {
  const { cacheRead, cacheWrite, output } = usage
  const input = inputOf(usage)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  }
}

function brokenBody(): Json {
  return { error: { message: BROKEN, type: 'server_error', param: null, code: null } }
}

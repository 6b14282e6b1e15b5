import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import { joined } from './reasoning.ts'
import { sealed } from './responses-to-chat.ts'
import { responsesUsageBody } from './usage.ts'

/** What a client of responses asked for, which its answer repeats. */
export interface ResponseAsked {
  readonly body: Json
  /** Unix seconds. */
  readonly created: number
}

/** Converts a chat completion to a response. @returns undefined if it is not one */
export function chatAsResponse(answer: Json, usage: Usage, asked: ResponseAsked): Json | undefined {
  const [choice] = listOf(answer.choices)
  if (!choice) return undefined
  const id = idOf(answer.id)
  const { status, details } = endOf(choice.finish_reason)
  return {
    ...opened(asked, { id, model: answer.model }),
    ...{ status, incomplete_details: details },
    output: itemsOf(objectOf(choice.message), id, status),
    usage: responsesUsageBody(usage),
  }
}

/** A response while it is in progress. */
export const opened = ({ body, created }: ResponseAsked, { id, model }: { id: string; model: unknown }): Json => ({
  ...{ id, object: 'response', created_at: created, status: 'in_progress', model, error: null },
  ...{ incomplete_details: null, previous_response_id: null, store: false, output: [], usage: null },
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  reasoning: body.reasoning ?? { effort: null, summary: null },
  temperature: body.temperature ?? null,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_p: body.top_p ?? null,
  truncation: 'disabled',
})

/** The id of a response, from that of the chat completion. */
export const idOf = (id: unknown): string => `resp_${textOf(id)}`

type Status = 'completed' | 'incomplete' | 'in_progress'

/** How a response ends, from why the chat completion stopped. */
export function endOf(finish: unknown): { readonly status: Status; readonly details: Json | null } {
  if (finish === 'length') return { status: 'incomplete', details: { reason: 'max_output_tokens' } }
  if (finish === 'content_filter') return { status: 'incomplete', details: { reason: 'content_filter' } }
  return { status: 'completed', details: null }
}

function itemsOf(message: Json, id: string, status: Status): Json[] {
  const [text, thought] = [textOf(message.content), textOf(message.reasoning_content)]
  const refusal = textOf(message.refusal)
  const details = listOf(message.reasoning_details)
  const said = [...(text === '' ? [] : [textPart(text)]), ...(refusal === '' ? [] : [{ type: 'refusal', refusal }])]
  return [
    ...(thought === '' && details.length === 0 ? [] : [reasoningItem(`rs_${id}`, thought, details)]),
    ...(said.length > 0 ? [messageItem(`msg_${id}`, said, status)] : []),
    ...listOf(message.tool_calls).map(({ id: call, function: called }) => {
      const { name, arguments: text } = objectOf(called)
      return callItem({ id: call, name, text: textOf(text) }, status)
    }),
  ]
}

export const textPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] })

export const messageItem = (id: string, content: readonly Json[], status: Status): Json => ({
  ...{ id, type: 'message', role: 'assistant', status, content },
})

export const summaryPart = (text: string): Json => ({ type: 'summary_text', text })

/** Reasoning with its details sealed: since nothing is kept here, the client sends them back. */
export const reasoningItem = (id: string, thought: string, details: readonly Json[]): Json => ({
  ...{ id, type: 'reasoning', summary: thought === '' ? [] : [summaryPart(thought)] },
  ...(details.length > 0 ? { encrypted_content: sealed(joined(details)) } : {}),
})

/** A tool call; `id` is the call's own, to which its result refers. */
export const callItem = ({ id, name, text }: { id: unknown; name: unknown; text: string }, status: Status): Json => ({
  ...{ id: `fc_${textOf(id)}`, type: 'function_call', status, call_id: id, name, arguments: text },
})

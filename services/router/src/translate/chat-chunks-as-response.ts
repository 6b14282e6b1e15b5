import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import { DONE, type Events } from './answer.ts'
import * as response from './chat-as-response.ts'
import { responsesUsageBody } from './usage.ts'

/** The longest answer that can be translated, as the last event repeats all of it. */
const MAX_UNITS = 4 * 1024 * 1024

/** The item that is being written. */
type Open =
  | { readonly kind: 'text' | 'reasoning'; readonly id: string; text: string; readonly details: Json[] }
  | { readonly kind: 'call'; readonly id: string; readonly call: unknown; readonly name: unknown; text: string }

/** Converts the chunks of a chat completion to the events of a response. */
export function chatChunksAsResponse(asked: response.ResponseAsked): Events {
  const written = { id: '', model: undefined as unknown, finish: undefined as unknown, units: 0, events: 0 }
  const output: Json[] = []
  let open: Open | undefined

  const event = (type: string, members: Json): Json => ({ type, sequence_number: written.events++, ...members })
  const start = ({ id, model }: Json): Json[] => {
    if (written.id !== '') return []
    Object.assign(written, { id: response.idOf(id), model })
    const made = response.opened(asked, { id: written.id, model })
    return [event('response.created', { response: made }), event('response.in_progress', { response: made })]
  }
  const at = () => ({ output_index: output.length, item_id: open?.id })
  const begin = (item: Open): Json[] => {
    const closed = close()
    open = item
    const added = event('response.output_item.added', {
      output_index: output.length,
      item: itemOf(item, 'in_progress'),
    })
    return [...closed, added, ...(item.kind === 'call' ? [] : [part('added', item, '')])]
  }
  const part = (done: 'added' | 'done', { kind }: Open, text: string): Json =>
    kind === 'reasoning'
      ? event(`response.reasoning_summary_part.${done}`, {
          ...at(),
          summary_index: 0,
          part: response.summaryPart(text),
        })
      : event(`response.content_part.${done}`, { ...at(), content_index: 0, part: response.textPart(text) })
  const close = (status: 'completed' | 'incomplete' = 'completed'): Json[] => {
    if (!open) return []
    const item = open
    const { text } = item
    const done = closing(item, text)
    const whole = itemOf(item, status)
    const ended = event('response.output_item.done', { output_index: output.length, item: whole })
    output.push(whole)
    open = undefined
    return [...done, ended]
  }
  const closing = (item: Open, text: string): Json[] => {
    if (item.kind === 'call') {
      return [event('response.function_call_arguments.done', { ...at(), name: item.name, arguments: text })]
    }
    const within = item.kind === 'reasoning' ? { summary_index: 0 } : { content_index: 0, logprobs: [] }
    const type = item.kind === 'reasoning' ? 'response.reasoning_summary_text.done' : 'response.output_text.done'
    return [event(type, { ...at(), ...within, text }), part('done', item, text)]
  }
  const says = (kind: 'text' | 'reasoning', text: string, details: readonly Json[] = []): Json[] => {
    if (text === '' && details.length === 0) return []
    const prefix = kind === 'text' ? 'msg' : 'rs'
    const begun =
      open?.kind === kind
        ? []
        : begin({ kind, id: `${prefix}_${written.id}_${output.length + (open ? 1 : 0)}`, text: '', details: [] })
    if (open?.kind === 'reasoning' && details.length > 0) {
      open.details.push(...details)
      counted(JSON.stringify(details).length)
    }
    return [...begun, ...grown(text)]
  }
  const counted = (units: number) => {
    written.units += units
    if (written.units > MAX_UNITS) throw new RangeError(`the answer is longer than ${MAX_UNITS} characters`)
  }
  const grown = (delta: string): Json[] => {
    if (!open || delta === '') return []
    open.text += delta
    counted(delta.length)
    if (open.kind === 'call') return [event('response.function_call_arguments.delta', { ...at(), delta })]
    if (open.kind === 'reasoning') {
      return [event('response.reasoning_summary_text.delta', { ...at(), summary_index: 0, delta })]
    }
    return [event('response.output_text.delta', { ...at(), content_index: 0, delta, logprobs: [] })]
  }
  const calls = ({ id, function: called }: Json): Json[] => {
    const { name, arguments: text } = objectOf(called)
    const begun = id === undefined ? [] : begin({ kind: 'call', id: `fc_${textOf(id)}`, call: id, name, text: '' })
    return [...begun, ...grown(textOf(text))]
  }
  const final = (usage: Usage): Json => {
    const { status, details } = response.endOf(written.finish)
    return {
      ...response.opened(asked, written),
      ...{ status, incomplete_details: details, output, usage: responsesUsageBody(usage) },
    }
  }
  return {
    take(chunk) {
      const [choice] = listOf(chunk.choices)
      if (!choice || chunk === DONE) return []
      written.finish = choice.finish_reason ?? written.finish
      const {
        content,
        refusal,
        reasoning_content: thought,
        reasoning_details: details,
        tool_calls,
      } = objectOf(choice.delta)
      return [
        ...start(chunk),
        ...says('reasoning', textOf(thought), listOf(details)),
        ...says('text', textOf(content) || textOf(refusal)),
        ...listOf(tool_calls).flatMap(calls),
      ]
    },
    end(usage) {
      const begun = start({})
      const { status } = response.endOf(written.finish)
      const closed = close(status === 'incomplete' ? 'incomplete' : 'completed')
      const last = final(usage)
      return [...begun, ...closed, event(`response.${status}`, { response: last })]
    },
  }
}

function itemOf(item: Open, status: 'completed' | 'incomplete' | 'in_progress'): Json {
  const { kind, id, text } = item
  if (kind === 'call') return response.callItem({ id: item.call, name: item.name, text }, status)
  if (kind === 'reasoning') return response.reasoningItem(id, text, item.details)
  return response.messageItem(id, status === 'in_progress' ? [] : [response.textPart(text)], status)
}

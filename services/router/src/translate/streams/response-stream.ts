import { type Json, textOf } from '../../domain/json.ts'
import { callItem, messageItem, reasoningItem, summaryPart, textPart } from '../chat-as-response.ts'

/** The longest answer that can be translated, as the last event repeats all of it. */
const MAX_UNITS = 4 * 1024 * 1024

/** The item that is being written: a text, which is told in one part, or a tool call, which is told as its arguments. */
type Item = { readonly id: string; text: string } & (
  | { readonly kind: 'text' | 'reasoning'; readonly details: Json[] }
  | { readonly kind: 'call'; readonly callId: unknown; readonly name: unknown }
)
type Text = Extract<Item, { details: Json[] }>

/** How texts are told, by kind. */
const TOLD = {
  text: {
    ...{ type: 'response.output_text', part: 'response.content_part', prefix: 'msg' },
    ...{ within: { content_index: 0 }, more: { logprobs: [] }, partOf: textPart },
  },
  reasoning: {
    ...{ type: 'response.reasoning_summary_text', part: 'response.reasoning_summary_part', prefix: 'rs' },
    ...{ within: { summary_index: 0 }, more: {}, partOf: summaryPart },
  },
} as const
const ARGUMENTS = 'response.function_call_arguments'

/** A response while it is written: what is said becomes its events, one item after the other. */
export class ResponseStream {
  readonly #output: Json[] = []
  #open: Item | undefined
  #units = 0
  #events = 0

  /** The items that are closed. */
  get output(): readonly Json[] {
    return this.#output
  }

  event(type: string, members: Json): Json {
    return { type, sequence_number: this.#events++, ...members }
  }

  /** @param details of the reasoning, as its provider wants them back */
  says(kind: Text['kind'], text: string, responseId: string, details: readonly Json[] = []): Json[] {
    if (text === '' && details.length === 0) return []
    const begun = this.#open?.kind === kind ? [] : this.#beginText(kind, responseId)
    if (this.#open?.kind === 'reasoning' && details.length > 0) {
      this.#open.details.push(...details)
      this.#count(JSON.stringify(details).length)
    }
    return [...begun, ...this.grow(text)]
  }

  /** Begins a tool call; its arguments follow in pieces. */
  call(id: unknown, name: unknown): Json[] {
    const closed = this.close()
    return [...closed, this.#begin({ kind: 'call', id: `fc_${textOf(id)}`, callId: id, name, text: '' })]
  }

  /** The next piece of the open item. */
  grow(delta: string): Json[] {
    const item = this.#open
    if (!item || delta === '') return []
    item.text += delta
    this.#count(delta.length)
    if (item.kind === 'call') return [this.event(`${ARGUMENTS}.delta`, { ...this.#placeOf(item), delta })]
    const { type, within, more } = TOLD[item.kind]
    return [this.event(`${type}.delta`, { ...this.#placeOf(item), ...within, delta, ...more })]
  }

  close(status: 'completed' | 'incomplete' = 'completed'): Json[] {
    const item = this.#open
    if (!item) return []
    const whole = itemOf(item, status)
    const ended = this.#ending(item)
    const done = this.event('response.output_item.done', { output_index: this.#output.length, item: whole })
    this.#output.push(whole)
    this.#open = undefined
    return [...ended, done]
  }

  #beginText(kind: Text['kind'], responseId: string): Json[] {
    const closed = this.close()
    const id = `${TOLD[kind].prefix}_${responseId}_${this.#output.length}`
    const item: Text = { kind, id, text: '', details: [] }
    return [...closed, this.#begin(item), this.#part('added', item)]
  }

  #begin(item: Item): Json {
    this.#open = item
    const shown = itemOf(item, 'in_progress')
    return this.event('response.output_item.added', { output_index: this.#output.length, item: shown })
  }

  #part(change: 'added' | 'done', item: Text): Json {
    const { part, within, partOf } = TOLD[item.kind]
    return this.event(`${part}.${change}`, { ...this.#placeOf(item), ...within, part: partOf(item.text) })
  }

  #ending(item: Item): Json[] {
    const { text } = item
    if (item.kind === 'call')
      return [this.event(`${ARGUMENTS}.done`, { ...this.#placeOf(item), name: item.name, arguments: text })]
    const { type, within, more } = TOLD[item.kind]
    const done = this.event(`${type}.done`, { ...this.#placeOf(item), ...within, ...more, text })
    return [done, this.#part('done', item)]
  }

  #placeOf({ id }: Item): Json {
    return { output_index: this.#output.length, item_id: id }
  }

  #count(units: number): void {
    this.#units += units
    if (this.#units > MAX_UNITS) throw new RangeError(`the answer is longer than ${MAX_UNITS} characters`)
  }
}

function itemOf(item: Item, status: 'completed' | 'incomplete' | 'in_progress'): Json {
  const { id, text } = item
  if (item.kind === 'call') return callItem({ id: item.callId, name: item.name, text }, status)
  if (item.kind === 'reasoning') return reasoningItem(id, text, item.details)
  return messageItem(id, status === 'in_progress' ? [] : [textPart(text)], status)
}

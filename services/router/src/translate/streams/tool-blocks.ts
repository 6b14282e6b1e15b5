import type { Json } from '../../domain/json.ts'
import type { MessageStream } from './message-stream.ts'
import { isComplete, type StreamedCall, StreamedCalls } from './streamed-calls.ts'

/**
 * Writes the tool calls of a chat as blocks of a message. A block is written in one go, so a call waits until the one
 * before is complete.
 */
export class ToolBlocks {
  readonly #stream: MessageStream
  readonly #calls = new StreamedCalls()
  /** The number of the block of each call that has begun. */
  readonly #blockOf = new Map<StreamedCall, number>()
  readonly #waiting: StreamedCall[] = []
  /** The call whose block is open, or was the last. */
  #writing: StreamedCall | undefined

  constructor(stream: MessageStream) {
    this.#stream = stream
  }

  get size(): number {
    return this.#calls.size
  }

  /** Takes a piece of a call. @returns the events that can be sent now */
  take(piece: Json): Json[] {
    const { call, text, isFirst } = this.#calls.take(piece)
    if (isFirst) this.#waiting.push(call)
    const block = this.#blockOf.get(call)
    if (block !== undefined) return this.#argumentsOf(block, text)
    const written: Json[] = []
    while (this.#waiting.length > 0 && this.#mayBegin())
      written.push(...this.#waiting.splice(0, 1).flatMap(this.#write))
    return written
  }

  /** Writes the calls that wait, whether the one before is complete or not. */
  rest(): Json[] {
    return this.#waiting.splice(0).flatMap(this.#write)
  }

  #mayBegin(): boolean {
    return this.#stream.open !== 'tool_use' || !this.#writing || isComplete(this.#writing)
  }

  readonly #write = (call: StreamedCall): Json[] => {
    const { id, name, text } = call
    const begun = this.#stream.begin({ type: 'tool_use', id: id || this.#stream.nextId, name, input: {} })
    this.#blockOf.set(call, this.#stream.at)
    this.#writing = call
    return [...begun, ...this.#argumentsOf(this.#stream.at, text)]
  }

  #argumentsOf(block: number, text: string): Json[] {
    return text === '' ? [] : [this.#stream.delta(block, { type: 'input_json_delta', partial_json: text })]
  }
}

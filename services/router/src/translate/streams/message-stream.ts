import type { Json } from '../../domain/json.ts'
import type { Usage } from '../../domain/usage.ts'
import { messagesUsageBody } from '../usage.ts'

/** What a block begins with. */
type Block = Json & { readonly type: 'text' | 'thinking' | 'tool_use' }

/**
 * The provider reports the input at the end, and so does `message_delta`, whose counts cover the whole message: clients
 * that replace the start's counts and clients that add to them both arrive at what is charged.
 */
const NOTHING_YET: Usage = {
  ...{ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}

const named = (event: Json & { readonly type: string }): Json => event

/** A message while it is written: what is said becomes its events, one block after the other. */
export class MessageStream {
  #isStarted = false
  #id: unknown
  #blocks = 0
  #open: Block['type'] | undefined

  /** Starts the message, unless it has started. */
  start({ id, model }: Json): Json[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    this.#id = id
    const message = {
      ...{ id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null },
      usage: messagesUsageBody(NOTHING_YET),
    }
    return [named({ type: 'message_start', message })]
  }

  /** The block that is being written. */
  get open(): Block['type'] | undefined {
    return this.#open
  }

  /** The number of the open block, or of the last one. */
  get at(): number {
    return this.#blocks - 1
  }

  /** An id for the next block, where its provider gives none. */
  get nextId(): string {
    return `${this.#id}_${this.#blocks}`
  }

  /** Begins a block; the one before is closed. */
  begin(block: Block): Json[] {
    const closed = this.#close()
    this.#open = block.type
    this.#blocks += 1
    return [...closed, named({ type: 'content_block_start', index: this.at, content_block: block })]
  }

  /** The next piece of a block that has begun. */
  delta(index: number, said: Json): Json {
    return named({ type: 'content_block_delta', index, delta: said })
  }

  end(stopReason: string, usage: Usage): Json[] {
    const delta = { stop_reason: stopReason, stop_sequence: null }
    return [
      ...this.#close(),
      named({ type: 'message_delta', delta, usage: messagesUsageBody(usage) }),
      named({ type: 'message_stop' }),
    ]
  }

  #close(): Json[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [named({ type: 'content_block_stop', index: this.at })]
  }
}

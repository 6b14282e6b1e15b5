import { type Json, objectIn, objectOf, textOf } from '../../domain/json.ts'

/** A tool call whose arguments arrive in pieces. */
export interface StreamedCall {
  /** Empty if its provider gave none. */
  readonly id: string
  readonly name: unknown
  /** Its arguments so far. */
  text: string
}

/** A piece of a call's arguments. */
interface Piece {
  readonly call: StreamedCall
  readonly text: string
  /** Whether it begins the call. */
  readonly isFirst: boolean
}

/**
 * Tells the tool calls of a streamed chat completion apart. A call has an index among the calls; some providers
 * identify it only by its id, and some give all calls one index; others send a new id with every piece of a call, but
 * its name only once.
 */
export class StreamedCalls {
  readonly #byKey = new Map<unknown, StreamedCall>()
  /** The key that was the last to be new. */
  #last: unknown

  get size(): number {
    return this.#byKey.size
  }

  take({ index, id, function: called }: Json): Piece {
    const { name, arguments: given } = objectOf(called)
    const text = textOf(given)
    const key = index ?? id ?? this.#last
    const known = this.#byKey.get(key)
    const isOther = known !== undefined && textOf(id) !== '' && id !== known.id && textOf(name) !== ''
    if (known && !isOther) {
      known.text += text
      return { call: known, text, isFirst: false }
    }
    if (!this.#byKey.has(key)) this.#last = key
    const call = { id: textOf(id), name, text }
    this.#byKey.set(key, call)
    return { call, text, isFirst: true }
  }
}

/** Whether the arguments of a call are complete; only what may be is parsed. */
export const isComplete = ({ text }: StreamedCall): boolean =>
  text.trimEnd().endsWith('}') && objectIn(text) !== undefined

import type { Json } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'

/** What an answer used as its upstream told it, and as the Router counts it where it told nothing that can be true. */
export interface Told {
  readonly usage: Usage | undefined
  /** Tokens. */
  readonly estimatedOutput: number
}

/** The events of one API's stream as those of another, one after the other. */
export interface Events {
  /** @returns what is sent on of an event */
  take(event: Json): readonly Json[]
  /** @returns what ends the stream, when its upstream ended it */
  end(told: Told): readonly Json[]
}

/** Stands for the end of a streamed chat completion, which is no JSON. */
export const DONE: Json = { done: '[DONE]' }

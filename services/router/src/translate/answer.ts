import type { Json } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'

/** The events of one API's stream as those of another, one after the other. */
export interface Events {
  /** @returns what is sent on of an event */
  take(event: Json): readonly Json[]
  /** @param usage what is charged @returns what ends the stream, when its upstream ended it */
  end(usage: Usage): readonly Json[]
}

/** Stands for the end of a streamed chat completion, which is no JSON. */
export const DONE: Json = { done: '[DONE]' }

import type { Json } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'

/** Converts the events of one API's stream into those of another, one by one. */
export interface Events {
  /** @returns what is sent on for an event */
  take(event: Json): readonly Json[]
  /** @param usage what is charged @returns what ends the stream, once its upstream has ended it */
  end(usage: Usage): readonly Json[]
}

/** Stands for the end of a streamed chat completion, which is not JSON. */
export const DONE: Json = { done: '[DONE]' }

import type { Surface } from '../domain/surface.ts'
import { promptTokens, tokensOf } from './count.ts'

/** A call as its words are counted. */
export interface CountedCall {
  readonly surface: Surface
  readonly body: Readonly<Record<string, unknown>>
  /** What its answer said. */
  readonly said: readonly string[]
}

export interface Counted {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What the thread is asked. */
export default ({ surface, body, said }: CountedCall): Counted => ({
  inputTokens: promptTokens(surface, body),
  outputTokens: tokensOf(said),
})

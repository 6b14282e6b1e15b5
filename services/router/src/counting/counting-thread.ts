import type { Surface } from '../domain/surface.ts'
import { promptTokens, tokensOf } from './count.ts'

/** A call as passed to the thread that counts its words. */
export interface CountedCall {
  readonly surface: Surface
  readonly body: Readonly<Record<string, unknown>>
  /** The parts of its answer. */
  readonly said: readonly string[]
}

export interface Counted {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The thread's task. */
export default ({ surface, body, said }: CountedCall): Counted => ({
  inputTokens: promptTokens(surface, body),
  outputTokens: tokensOf(said),
})

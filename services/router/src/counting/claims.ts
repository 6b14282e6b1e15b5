import type { Logger } from '@callboard/runtime'
import { type Clock, SECOND_MS } from '@callboard/values'
import { type Ending, estimatedTokens } from '../domain/settlement.ts'
import type { Surface } from '../domain/surface.ts'
import type { Usage } from '../domain/usage.ts'
import type { Metering } from '../metering.ts'
import type { TokenCounter } from './token-counter.ts'

/** Tokenizers differ, and providers add to prompts: a claim within this margin of our count is no disagreement. */
const FACTOR = 2
const SLACK_TOKENS = 200
/** Bytes per token of prose in most languages; a claim is judged by it before anything is counted. */
const BYTES_PER_TOKEN = 4
/** Calls that must be counted take precedence, so claims are checked no more often than this. */
const PAUSE_MS = 10 * SECOND_MS

/** A call whose upstream reported its usage. */
export interface Claimed {
  readonly id: string
  readonly surface: Surface
  readonly body: Readonly<Record<string, unknown>>
  /** The most input tokens that its bytes can hold. */
  readonly inputTokens: number
  readonly request: { readonly images: number; readonly hasFiles: boolean; readonly addedTokens: number }
}
export type Completed = Extract<Ending, { kind: 'completed' }>

const isBeyond = (claimed: number, counted: number): boolean => claimed > FACTOR * counted + SLACK_TOKENS

/** Output tokens without the reasoning, whose text many providers keep to themselves. */
const spoken = ({ outputTokens, reasoningTokens }: Usage): number => outputTokens - reasoningTokens

/** The same for input, where images and files make the length meaningless. */
const isInputBeyond = ({ images, hasFiles }: Claimed['request'], claimed: number, counted: number): boolean =>
  images === 0 && !hasFiles && isBeyond(claimed, counted)

/** Whether the length of a call contradicts what its upstream claims. */
export function isOdd({ inputTokens, request }: Claimed, { usage, seen }: Completed): boolean {
  const { addedTokens } = request
  const prose = Math.ceil(Math.max(0, inputTokens - addedTokens) / BYTES_PER_TOKEN) + addedTokens
  return (
    isInputBeyond(request, usage.inputTokens, prose) ||
    (seen !== undefined && isBeyond(spoken(usage), estimatedTokens(seen)))
  )
}

export interface ClaimsOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly metering: Pick<Metering, 'disagreements'>
  readonly counter: Pick<TokenCounter, 'count'>
}

/**
 * Compares what upstreams claim with what is counted here. The charge remains what the upstream claims, up to the hold;
 * this only tells the operator which upstream to question.
 */
export class Claims {
  readonly #clock: Clock
  readonly #log: ClaimsOptions['log']
  readonly #disagreements: Metering['disagreements']
  readonly #counter: ClaimsOptions['counter']
  #countedAt = Number.NEGATIVE_INFINITY

  constructor({ clock, log, metering, counter }: ClaimsOptions) {
    this.#clock = clock
    this.#log = log
    this.#disagreements = metering.disagreements
    this.#counter = counter
  }

  /** Counts a call whose claim looks odd, unless another was counted just before; never rejects. */
  async check(call: Claimed, ending: Completed, upstream: string): Promise<void> {
    const now = this.#clock.now()
    if (!isOdd(call, ending) || now - this.#countedAt < PAUSE_MS) return
    this.#countedAt = now
    try {
      const { usage, said, seen = 0 } = ending
      const { surface, body, request } = call
      const counted = await this.#counter.count({ surface, body, said: said ?? [] })
      const input = counted.inputTokens + request.addedTokens
      const output = said ? counted.outputTokens : estimatedTokens(seen)
      if (!isInputBeyond(request, usage.inputTokens, input) && !isBeyond(spoken(usage), output)) return
      this.#disagreements.inc({ upstream })
      const claimed = { input: usage.inputTokens, output: spoken(usage) }
      this.#log.warn(
        { callId: call.id, upstream, claimed, counted: { input, output } },
        'an upstream claims more tokens than are counted here',
      )
    } catch (error) {
      this.#log.error({ err: error, callId: call.id }, 'the words of a call could not be counted')
    }
  }
}

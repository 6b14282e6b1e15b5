import type { Hex } from '@callboard/conformance/chain'

/** One authorization that was handed in, and what was said of it for good. */
export interface Paid {
  readonly payer: Hex
  readonly payTo: Hex
  readonly amount: bigint
  readonly nonce: Hex
  /** `open` until an answer is definite. */
  outcome: 'open' | 'settled' | 'refused'
  transaction?: string
  reason?: string
}

/** What was acknowledged to the load, and so must be there for good. */
export class Journal {
  readonly payments: Paid[] = []
  /** Slugs of drafts that were published. */
  readonly listings = new Set<string>()
  /** The texts that a listing may have now: the last one acknowledged, and those sent after it. */
  readonly descriptions = new Map<string, Set<string>>()
  readonly keys = new Set<string>()
  readonly deletedKeys = new Set<string>()
  /** Ids whose deletion was sent and not answered: there or not. */
  readonly doubtfulKeys = new Set<string>()
  /** Access tokens of linked agents, by client id. */
  readonly links = new Map<string, string>()
  /** Client ids whose link may be there or not. */
  readonly doubtfulLinks = new Set<string>()
  /** Access tokens of links whose end was acknowledged. */
  readonly endedLinks: string[] = []
  /** Cookies of sessions that were opened. */
  readonly sessions: string[] = []
}

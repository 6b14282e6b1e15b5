import type { Hex } from '@callboard/conformance/chain'

/** One authorization that was submitted, and its final outcome. */
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

/** What was acknowledged to the load, and so must be permanent. */
export class Journal {
  readonly payments: Paid[] = []
  /** Slugs of published drafts. */
  listings = new Set<string>()
  /** The texts that a listing may have now: the last one acknowledged, and those sent after it. */
  descriptions = new Map<string, Set<string>>()
  readonly keys = new Set<string>()
  readonly deletedKeys = new Set<string>()
  /** Ids whose deletion was sent and not answered: they may or may not exist. */
  readonly doubtfulKeys = new Set<string>()
  /** Access tokens of linked agents, by client id. */
  readonly links = new Map<string, string>()
  /** Client ids whose link may or may not exist. */
  readonly doubtfulLinks = new Set<string>()
  /** Access tokens of links whose end was acknowledged. */
  readonly endedLinks: string[] = []
  /** Cookies of sessions that were opened. */
  readonly sessions: string[] = []
  /** Cookies of sessions that were ended. */
  readonly endedSessions: string[] = []

  /** Remembers the acknowledged state that a restore brings back. @returns a function that resets the journal to it */
  remember(): () => void {
    const listings = new Set(this.listings)
    const descriptions = new Map([...this.descriptions].map(([slug, may]) => [slug, new Set(may)]))
    return () => {
      this.listings = listings
      this.descriptions = descriptions
    }
  }

  /** Marks every key, session and link as ended, regardless of who ended it. */
  endCredentials(): void {
    for (const id of [...this.keys, ...this.doubtfulKeys]) this.deletedKeys.add(id)
    this.endedSessions.push(...this.sessions.splice(0))
    this.endedLinks.push(...this.links.values())
    for (const one of [this.keys, this.doubtfulKeys, this.links, this.doubtfulLinks]) one.clear()
  }
}

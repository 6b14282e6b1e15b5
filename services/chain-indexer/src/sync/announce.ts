import { chainProgressed } from '@callboard/contract'
import { isoTime, SECOND_MS } from '@callboard/values'
import { findProgress } from '../store/chain.repository.ts'
import { asLeader } from './commit.ts'
import type { Following } from './following.ts'

/** The shortest time between two announcements of progress. */
const BETWEEN_MS = 2 * SECOND_MS

/** Announces how far one term has read its chain: at once, and then at intervals. */
export class Announcer {
  readonly #following: Following
  #said: number | undefined
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(following: Following) {
    this.#following = following
  }

  /** @param at the last recorded block @param head the newest block of the endpoint in use */
  async announce(at: number, head: number): Promise<void> {
    if (at === this.#said || performance.now() - this.#saidAt < BETWEEN_MS) return
    const { ctx, followed, term } = this.#following
    const { network } = followed.chain
    const progress = await findProgress(ctx.db, network)
    if (!progress) return
    const { number, hash, minedAt } = progress
    const behindBlocks = Math.max(0, head - number)
    const said = {
      ...{ network, blockNumber: String(number), blockHash: hash, behindBlocks },
      blockAt: isoTime(minedAt.getTime()),
    }
    await asLeader(ctx, term, (tx) => ctx.publishAll(tx, chainProgressed, [said]))
    this.#said = number
    this.#saidAt = performance.now()
  }
}

import { pause } from '@callboard/runtime'
import { StaleTerm } from '@callboard/store'
import { SECOND_MS } from '@callboard/values'
import type { BlockRef } from '../domain/chain-data.ts'
import { FinalityBroken } from '../domain/sync-status.ts'
import { Announcer } from './announce.ts'
import { attributeSome } from './attribute.ts'
import type { Following } from './following.ts'
import { HeadWatch } from './head-watch.ts'
import { Sources } from './sources.ts'
import { step } from './step.ts'

/** How many checks in a row must show that a final block is gone before the chain is given up. */
const LOOKS_BEFORE_HALT = 3
/**
 * How long the checks must show it while another provider fails, which may still have our block: long enough for each
 * to be asked again.
 */
const CONTESTED_MS = 60 * SECOND_MS
/** After this many waits without a new block the provider in use is doubted. */
const QUIET_POLLS = 20
/** How often settlements without a submitter are searched even if none was recorded. */
const ATTRIBUTED_ANYWAY_MS = 30 * SECOND_MS

/**
 * Follows a chain, step by step, for as long as the term lasts.
 * @throws FinalityBroken when a block below the finality depth is gone in several checks in a row
 */
export async function follow(following: Following, signal: AbortSignal): Promise<void> {
  const heads = new HeadWatch(following.followed, following.ctx.config.INDEXER_POLL_MS)
  try {
    await followOn(following, heads, signal)
  } finally {
    heads.end()
  }
}

async function followOn(following: Following, heads: HeadWatch, signal: AbortSignal): Promise<void> {
  const { ctx, followed } = following
  const { network } = followed.chain
  let movedAt = performance.now()
  let brokenLooks = 0
  let brokenAt = 0
  let cursor: BlockRef | undefined
  let attributedAt = Number.NEGATIVE_INFINITY
  let isUnattributed = true
  const sources = new Sources(following)
  const announcer = new Announcer(following)
  while (!signal.aborted) {
    try {
      await sources.settle()
      const quiet = performance.now() - movedAt > QUIET_POLLS * heads.pollMs
      const stepped = await step(following, { quiet, cursor }, signal)
      const { moved, behind, cursor: at, head = at?.number ?? 0, unattributed = false } = stepped
      cursor = at
      if (moved) movedAt = performance.now()
      if (moved) heads.moved()
      if (at) await announcer.announce(at.number, head)
      brokenLooks = 0
      isUnattributed ||= unattributed || performance.now() - attributedAt > ATTRIBUTED_ANYWAY_MS
      const isAttributing = isUnattributed && !behind
      const left = isAttributing ? await attributeSome(following, signal) : 'none'
      if (isAttributing && left === 'none') {
        isUnattributed = false
        attributedAt = performance.now()
      }
      const isReading = at !== undefined && !behind && (await sources.readSome(at.number, signal))
      if (!behind && left !== 'more' && !isReading) await heads.next(signal)
    } catch (error) {
      cursor = undefined
      if (signal.aborted) return
      if (error instanceof StaleTerm) return ctx.log.info({ network, reason: error.message }, 'another replica leads')
      if (!(error instanceof FinalityBroken)) {
        ctx.log.error({ err: error, network }, 'a step failed')
        await pause(SECOND_MS, signal)
        continue
      }
      brokenLooks++
      if (brokenLooks === 1) brokenAt = performance.now()
      const isContested = followed.providers.isOneUnheard && performance.now() - brokenAt < CONTESTED_MS
      if (brokenLooks >= LOOKS_BEFORE_HALT && !isContested) throw error
      await pause(heads.pollMs, signal)
    }
  }
}

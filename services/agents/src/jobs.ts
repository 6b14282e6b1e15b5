import { every, schemaOf, whenWoken } from '@callboard/runtime'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { AgentsContext, Callee } from './context.ts'
import { settleAllowance } from './links/allowance.ts'
import { settle } from './links/settle.ts'
import {
  oldestUnsettled,
  sweepLinks,
  takeUnsettled,
  takeUnsureAllowances,
  unsettledChannel,
} from './store/link.repository.ts'
import { sweepRequests } from './store/link-request.repository.ts'
import { sweepRelays } from './store/relay.repository.ts'

/** Longer than any request takes: the process that began is gone, or has given up. */
const UNSETTLED_MS = MINUTE_MS
const AT_ONCE = 50

/** A crash sends no notification; the regular poll finds what it left before that is due. */
const waking = ({ name }: AgentsContext) => ({ channels: [unsettledChannel(schemaOf(name))], pollMs: SECOND_MS })

/** Completes or undoes what a crash or an outage left between two steps. */
export const settleLinks = whenWoken<AgentsContext, Callee>('settle-links', waking, async (ctx, signal) => {
  const now = ctx.clock.now()
  const dueInMs = await nextUnsettledMs(ctx)
  if (dueInMs === undefined || dueInMs > 0) return dueInMs
  const untried = [new Date(now - UNSETTLED_MS), new Date(now), AT_ONCE] as const
  for (const link of await takeUnsettled(ctx.db, ...untried)) {
    if (signal.aborted) return undefined
    await settle(ctx, link).catch((error: unknown) => {
      ctx.log.warn({ err: error, linkId: link.id, state: link.state }, 'a link cannot be settled yet')
    })
  }
  for (const link of await takeUnsureAllowances(ctx.db, ...untried)) {
    if (signal.aborted) return undefined
    await settleAllowance(ctx, link).catch((error: unknown) => {
      ctx.log.warn({ err: error, linkId: link.id }, 'the allowance of a link cannot be settled yet')
    })
  }
  return nextUnsettledMs(ctx)
})

async function nextUnsettledMs({ db, clock }: AgentsContext): Promise<number | undefined> {
  const oldest = await oldestUnsettled(db)
  return oldest && oldest.getTime() + UNSETTLED_MS - clock.now()
}

/**
 * Removes requests a day, and relays an hour, after they expired; a relay's code is not reused before that. Links that
 * are over are kept for a quarter of a year, so that their agents and transfer outcomes can be shown.
 */
export const sweep = every<AgentsContext>('sweep-requests', 10 * MINUTE_MS, async ({ db, clock }) => {
  const now = clock.now()
  await sweepRequests(db, new Date(now - DAY_MS))
  await sweepRelays(db, new Date(now - HOUR_MS))
  await sweepLinks(db, new Date(now - 90 * DAY_MS))
})

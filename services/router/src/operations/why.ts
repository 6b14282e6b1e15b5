import type { router } from '@callboard/contract'
import { isoTime, MINUTE_MS, refuse, SECOND_MS } from '@callboard/values'
import { LEVEL_NAMES } from '../calls/exhausted.ts'
import type { RouterHandler } from '../context.ts'
import { dayOf } from '../domain/day.ts'
import { nanoUsdOf, usdText } from '../domain/usd.ts'
import { computeLimit } from '../spending.ts'
import { computeOf } from '../store/compute.repository.ts'
import { callsAt, holdsAt, keyByIdOrPrefix, type LevelThen, levelsAt, paidInAt } from '../store/history.repository.ts'
import { refusalsAbout } from '../store/refusal.repository.ts'

/** How far from the given time a refusal may be to count as the one asked about. */
const ABOUT_MS = 5 * SECOND_MS
const HOLDS_SHOWN = 20

/** The most that a call could have held at a level; undefined without a limit. */
const leftAt = ({ limit, spent, held }: Omit<LevelThen, 'level'>): bigint | undefined => {
  if (limit === null) return undefined
  const left = limit - spent - held
  return left > 0n ? left : 0n
}

export const why: RouterHandler<typeof router.why> = async ({ key: asked, at: text, amountUsd }, ctx) => {
  const { db, config } = ctx
  const at = new Date(text)
  const key = await keyByIdOrPrefix(db, asked)
  if (!key) return refuse('not_found')
  const day = dayOf(at.getTime())
  const { limit: ownerLimit } = await computeOf(db, key.owner, day, computeLimit(ctx))
  const [levels, paidIn, holds, calls, refused] = await Promise.all([
    levelsAt(db, key, { at, day, ownerLimit }),
    paidInAt(db, key, at),
    holdsAt(db, key, at, HOLDS_SHOWN),
    callsAt(db, key.id, at, MINUTE_MS),
    refusalsAbout(db, key.id, at, ABOUT_MS),
  ])
  const bounds = levels.flatMap((level) => {
    const left = leftAt(level)
    return left === undefined ? [] : [{ level: level.level, left, inFlight: level.held }]
  })
  const largest = bounds.reduce<bigint | null>(
    (least, { left }) => (least === null || left < least ? left : least),
    null,
  )
  const amount = amountUsd === undefined ? undefined : nanoUsdOf(amountUsd)
  // Picks the same level as an actual refusal: the one that would leave the least even with no calls under way.
  const [refusing] = bounds
    .filter(({ left }) => amount !== undefined && left < amount)
    .sort((one, other) => Number(one.left + one.inFlight - other.left - other.inFlight))
  return {
    key: {
      ...{ id: key.id, prefix: key.prefix, label: key.label, owner: key.owner, linkId: key.linkId, source: key.source },
      createdAt: isoTime(key.createdAt.getTime()),
      endedAt: key.endedAt && isoTime(key.endedAt.getTime()),
    },
    levels: levels.map((level) => ({
      level: LEVEL_NAMES[level.level],
      limitFrom: level.isRecorded ? ('recorded' as const) : ('now' as const),
      ...amountsOf(level),
    })),
    paidIn: paidIn ? amountsOf(paidIn) : null,
    largestUsd: largest === null ? null : usdText(largest),
    refusedBy: refusing ? LEVEL_NAMES[refusing.level] : null,
    underWay: calls.underWay,
    concurrency: config.ROUTER_CONCURRENCY,
    admittedInMinute: calls.admitted,
    requestsPerMinute: config.ROUTER_REQUESTS_PER_MINUTE,
    holding: holds.map(({ callId, keyId, model, amount: held, createdAt }) => ({
      ...{ callId, keyId, model },
      heldUsd: usdText(held),
      createdAt: isoTime(createdAt.getTime()),
    })),
    refusals: refused.map(({ at: when, model, surface, limit, asked: least, left, inFlight }) => ({
      ...{ at: isoTime(when.getTime()), model, surface, limit: LEVEL_NAMES[limit] },
      ...{ askedUsd: usdText(least), leftUsd: usdText(left), inFlightUsd: usdText(inFlight) },
    })),
  }
}

function amountsOf(level: Omit<LevelThen, 'level'>) {
  const left = leftAt(level)
  return {
    limitUsd: level.limit === null ? null : usdText(level.limit),
    spentUsd: usdText(level.spent),
    heldUsd: usdText(level.held),
    leftUsd: left === undefined ? null : usdText(left),
  }
}

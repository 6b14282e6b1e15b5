import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { unauthorized } from '../../refusals.ts'
import { StakeView } from '../../schemas/agent.ts'
import { More, Timestamp, Usd } from '../../schemas/words.ts'
import { KeySource, RouterView } from './links.ts'

const Used = z.object({
  calls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  costUsd: Usd,
  /** The part of the cost that we estimated, because the upstream did not report it. */
  estimatedUsd: Usd,
  /** That part as a share of the cost, from 0 to 1, rounded to four decimals. */
  estimatedShare: z.number().min(0).max(1),
})

/** One day's usage with one key and one model. */
const UsageRow = z.object({
  /** The UTC day on which the calls were admitted. */
  day: z.iso.date(),
  model: z.string(),
  keyId: z.string(),
  /** The source that paid. */
  source: KeySource,
  ...Used.shape,
})

/** Number of days that the usage covers, including today. */
export const USAGE_DAYS = 31

export const usage = operation({
  id: 'router.usage',
  summary: 'The usage of the owner’s keys: today’s Compute, the stake, the balance, and usage by day, model and key',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/router/usage',
    auth: 'session',
    limit: 'manage',
    ok: 200,
    stability: 'internal',
  },
  input: z.strictObject({}),
  output: z.object({
    epoch: StakeView.shape.epoch,
    compute: z.object({
      ...{ limitUsd: Usd, spentUsd: Usd, heldUsd: Usd, remainingUsd: Usd, resetsAt: Timestamp },
      /** The limit from `resetsAt` on, given the present stake. */
      nextLimitUsd: Usd,
    }),
    stake: StakeView.shape.stake,
    /** The number of decimals of the stake token. */
    stakeDecimals: z.number().int().min(0).max(36),
    balance: RouterView.shape.balance,
    /** Today’s Compute, and Compute and balance over all days of `usage`. */
    totals: z.object({ epoch: Used, compute: Used, balance: Used }),
    /** Latest day first. */
    usage: z.array(UsageRow),
    more: More,
  }),
  errors: [unauthorized],
})

nameSchemas({ RouterUsageRow: UsageRow, RouterUsed: Used })

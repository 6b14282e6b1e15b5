import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { AllowanceUsd, StakeView } from '../../schemas/agent.ts'
import { Address, Timestamp, Usd } from '../../schemas/words.ts'

/** Whose budget a key draws on: the daily allowance of the owner's stake, or the owner's bought balance. */
export const KeySource = z.enum(['compute', 'balance'])

const LinkId = z.string().min(1).max(64)
const OfLink = { owner: Address, linkId: LinkId }

/** What a link may spend on models, and what it has spent. */
export const RouterView = z.object({
  compute: z.object({
    allowanceUsd: Usd,
    spentTodayUsd: Usd,
    remainingTodayUsd: Usd,
    resetsAt: Timestamp,
    ownerLimitUsd: Usd,
    ownerSpentUsd: Usd,
  }),
  /** Null when the owner has no Router balance. */
  balance: z.object({ purchasedUsd: Usd, spentUsd: Usd, remainingUsd: Usd }).nullable(),
})

export const mintKey = operation({
  id: 'router.mintKey',
  summary: 'Create a Router key for a link, and end its older keys of the same source',
  timeoutMs: 2_000,
  input: z.object({ ...OfLink, source: KeySource, label: z.string().min(1).max(80), allowanceUsd: AllowanceUsd }),
  output: z.object({ key: z.string(), baseUrl: z.url() }),
  errors: [],
})

export const revokeKeys = operation({
  id: 'router.revokeKeys',
  summary: 'End every Router key of a link',
  timeoutMs: 5_000,
  input: z.object(OfLink),
  output: z.object({}),
  errors: [],
})

export const setAllowance = operation({
  id: 'router.setAllowance',
  summary: 'Set the daily allowance of a link',
  timeoutMs: 5_000,
  input: z.object({ ...OfLink, allowanceUsd: AllowanceUsd }),
  output: z.object({}),
  errors: [],
})

export const view = operation({
  id: 'router.view',
  summary: 'The allowance and balance as a link sees them',
  timeoutMs: 3_000,
  input: z.object(OfLink),
  output: RouterView,
  errors: [],
})

export const spentToday = operation({
  id: 'router.spentToday',
  summary: 'The amounts that links have spent of their allowances today',
  timeoutMs: 2_000,
  input: z.object({ owner: Address, linkIds: z.array(LinkId).max(100) }),
  /** `heldUsd`: the most that their calls in progress may still cost; the previous release omits it. */
  output: z.object({ spentUsd: z.record(z.string(), Usd), heldUsd: z.record(z.string(), Usd).optional() }),
  errors: [],
})

export const computeOfStake = operation({
  id: 'router.computeOfStake',
  summary: 'An owner’s stake, and its value today',
  timeoutMs: 3_000,
  input: z.object({ owner: Address }),
  output: StakeView.pick({ epoch: true, stake: true, computeTodayUsd: true }),
  errors: [],
})

nameSchemas({ RouterView })

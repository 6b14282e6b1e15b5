import type { SpendingPolicy } from '@callboard/client'
import { usdcOfUsd } from '@callboard/values'
import { Usage } from './exit-codes.ts'

/**
 * A policy in which one call may cost no more than `max` says. It never allows more than the policy itself.
 * @param name what the limit is called where it is given
 */
export function within(policy: SpendingPolicy, max: unknown, name = '--max'): SpendingPolicy {
  if (typeof max !== 'string') return policy
  const most = usdcOfUsd(max)
  if (most === undefined) throw new Usage(`${name}: ${max} is not an amount of USD, for example 0.10`)
  return most < policy.perCallUsd ? { ...policy, perCallUsd: most } : policy
}

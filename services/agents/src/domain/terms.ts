import { isWithin, type Scope } from '@callboard/contract'
import { centsCovering, centsOf } from './usd.ts'

/** What an agent asks for. */
export interface Asked {
  readonly scopes: readonly Scope[]
  /** USD a day; undefined when it named none. */
  readonly allowanceUsd: number | undefined
}

/** What is granted without asking the owner: on a device that they trust, to all agents that are approved so together. */
export interface Trusted {
  readonly scopes: readonly Scope[]
  /** Decimal USD a day. */
  readonly allowanceUsd: string
}

/** How much of a trust is taken. */
export interface TrustUse {
  /** What the agents that it approved may spend a day together, decimal USD. */
  readonly allowanceUsd: string
  /**
   * What those that have ended, or are replaced, spent today or may spend of it yet, and what others did beyond an allowance that was
   * lowered since; decimal USD each.
   */
  readonly spentUsd: readonly string[]
  /** Approved without asking within the last hour: on this device, and for this owner in all. */
  readonly hourly: { readonly ofDevice: number; readonly ofOwner: number }
}

/** How many links may be approved without asking within an hour. */
export interface HourlyCaps {
  readonly ofDevice: number
  readonly ofOwner: number
}

/**
 * Whether what is asked for is within what is left of a trust today: an agent that ends leaves what it has spent. An allowance
 * matters, and has to be named, for the Router only.
 */
export function covers(
  trusted: Trusted,
  { allowanceUsd: used, spentUsd, hourly }: TrustUse,
  caps: HourlyCaps,
  asked: Asked,
) {
  if (hourly.ofDevice >= caps.ofDevice || hourly.ofOwner >= caps.ofOwner) return false
  if (!isWithin(asked.scopes, trusted.scopes)) return false
  if (!asked.scopes.includes('router.use')) return true
  if (asked.allowanceUsd === undefined) return false
  const spent = spentUsd.reduce((sum, usd) => sum + centsCovering(usd), 0)
  return centsOf(used) + spent + centsOf(asked.allowanceUsd) <= centsOf(trusted.allowanceUsd)
}

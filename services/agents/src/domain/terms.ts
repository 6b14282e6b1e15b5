import { isWithin, type Scope } from '@callboard/contract'
import { centsCovering, centsOf } from './usd.ts'

/** What an agent asks for. */
export interface Asked {
  readonly scopes: readonly Scope[]
  /** USD per day; undefined if it named none. */
  readonly allowanceUsd: number | undefined
}

/** What is granted without asking the owner, to all automatically approved agents on a trusted device together. */
export interface Trusted {
  readonly scopes: readonly Scope[]
  /** Decimal USD per day. */
  readonly allowanceUsd: string
}

/** How much of a trust is in use. */
export interface TrustUse {
  /** What the agents that it approved may together spend per day, decimal USD. */
  readonly allowanceUsd: string
  /**
   * What agents that ended or are being replaced spent today or may still spend of it, and what others spent above an
   * allowance that has since been lowered; decimal USD each.
   */
  readonly spentUsd: readonly string[]
  /** Automatic approvals within the last hour: on this device, and for this owner in total. */
  readonly hourly: { readonly ofDevice: number; readonly ofOwner: number }
}

/** How many links may be approved automatically within an hour. */
export interface HourlyCaps {
  readonly ofDevice: number
  readonly ofOwner: number
}

/**
 * Whether a request is within what is left of a trust today; what ended agents spent stays used. An allowance matters,
 * and must be named, only for the Router.
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

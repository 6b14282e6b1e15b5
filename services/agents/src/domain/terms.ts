import { isWithin, type Scope } from '@callboard/contract'

/** What an agent asks for. */
export interface Asked {
  readonly scopes: readonly Scope[]
  /** USD a day; undefined when it named none. */
  readonly allowanceUsd: number | undefined
}

/** What is granted without asking the owner: on a device that they trust. */
export interface Trusted {
  readonly scopes: readonly Scope[]
  /** USD a day. */
  readonly allowanceUsd: number
}

/** Whether what is asked for is within what is trusted. An allowance matters, and has to be named, for the Router only. */
export function covers(trusted: Trusted, { scopes, allowanceUsd }: Asked): boolean {
  if (!isWithin(scopes, trusted.scopes)) return false
  if (!scopes.includes('router.use')) return true
  return allowanceUsd !== undefined && allowanceUsd <= trusted.allowanceUsd
}

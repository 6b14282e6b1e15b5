import { type Address, type Refusal, refuse } from '@callboard/values'

/** The state of a relay for the owner who asks; `of another` whatever that other owner has done with it. */
export type RelayStatus = 'created' | 'opened' | 'of another' | 'sealed' | 'over'

/** What an owner may do with a relay, and the result. The program can only read it, which ends a sealed one. */
export interface OwnerActions {
  readonly open: 'opened' | 'sealed' | Refusal<'not_found' | 'relay_of_another'>
  readonly seal: 'sealed' | Refusal<'not_found' | 'relay_of_another' | 'relay_unopened' | 'relay_sealed'>
}

export const NEXT: Readonly<Record<RelayStatus, OwnerActions>> = {
  created: { open: 'opened', seal: refuse('relay_unopened') },
  opened: { open: 'opened', seal: 'sealed' },
  'of another': { open: refuse('relay_of_another'), seal: refuse('relay_of_another') },
  sealed: { open: 'sealed', seal: refuse('relay_sealed') },
  over: { open: refuse('not_found'), seal: refuse('not_found') },
}

/** The facts about a relay in its row. */
export interface RelayFacts {
  /** The owner who opened it first. */
  readonly owner: Address | null
  readonly expires_at: Date
  readonly sealed_at: Date | null
  readonly read_at: Date | null
}

/** Whether a relay can still be used: it has not expired, and its result has not been read. */
export const isCurrent = (relay: RelayFacts, nowMs: number): boolean =>
  relay.read_at === null && relay.expires_at.getTime() > nowMs

export function relayStatusOf(relay: RelayFacts | undefined, owner: string, nowMs: number): RelayStatus {
  if (!relay || !isCurrent(relay, nowMs)) return 'over'
  if (relay.owner === null) return 'created'
  if (relay.owner !== owner) return 'of another'
  return relay.sealed_at ? 'sealed' : 'opened'
}

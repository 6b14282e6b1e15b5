import type { ListingStatus, StatusAction, Verification } from '@callboard/contract'

/** What moves a listing: its owner's actions and the operator's verdicts. */
export type Action = StatusAction | 'verify' | 'reject'

/** Where an action leads; null where the state does not allow it. */
export type Next = { readonly status: ListingStatus; readonly verification: Verification } | null

/**
 * Every state and every action. Only a live listing is `requested` or `verified`, so whatever takes it down or back
 * to draft resets that; a re-activated listing is reviewed anew.
 */
export const TRANSITIONS: Readonly<Record<ListingStatus, Readonly<Record<Action, Next>>>> = {
  draft: {
    activate: { status: 'live', verification: 'none' },
    request_verification: null,
    suspend: null,
    revise: null,
    verify: null,
    reject: { status: 'rejected', verification: 'none' },
  },
  live: {
    activate: null,
    request_verification: { status: 'live', verification: 'requested' },
    suspend: { status: 'suspended', verification: 'none' },
    revise: null,
    verify: { status: 'live', verification: 'verified' },
    reject: { status: 'rejected', verification: 'none' },
  },
  rejected: {
    activate: null,
    request_verification: null,
    suspend: null,
    revise: { status: 'draft', verification: 'none' },
    verify: null,
    reject: null,
  },
  suspended: {
    activate: null,
    request_verification: null,
    suspend: null,
    revise: { status: 'draft', verification: 'none' },
    verify: null,
    reject: { status: 'rejected', verification: 'none' },
  },
}

/** Where an action leads a listing. A review is asked for once: not again while it is open or granted. */
export function transition(
  { status, verification }: { readonly status: ListingStatus; readonly verification: Verification },
  action: Action,
): Next {
  if (action === 'request_verification' && verification !== 'none') return null
  if (action === 'verify' && verification === 'verified') return null
  return TRANSITIONS[status][action]
}

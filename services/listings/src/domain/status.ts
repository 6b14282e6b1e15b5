import { type InputOf, type ListingStatus, type listings, StatusAction, type Verification } from '@callboard/contract'
import type { Rejection } from './listing.ts'

/** What changes a listing's state: its owner's actions and the operator's verdicts; `take_down` suspends it. */
export type Action = StatusAction | 'verify' | 'reject' | 'take_down' | 'reopen'

/** The action of a verdict: an owner's `suspend` is a different action from the operator's. */
export const actionOf = (verdict: Exclude<InputOf<typeof listings.review>['verdict'], 'look'>): Action =>
  verdict === 'suspend' ? 'take_down' : verdict

/** The result of an action; null if the state does not allow it. */
export type Next = { readonly status: ListingStatus; readonly verification: Verification } | null

/**
 * Every state and every action. Only a live listing is `requested` or `verified`, so anything that takes it down or
 * back to draft resets that; a re-activated listing is reviewed again.
 */
export const TRANSITIONS: Readonly<Record<ListingStatus, Readonly<Record<Action, Next>>>> = {
  draft: {
    activate: { status: 'live', verification: 'none' },
    request_verification: null,
    suspend: null,
    revise: null,
    verify: null,
    reject: { status: 'rejected', verification: 'none' },
    take_down: null,
    reopen: { status: 'draft', verification: 'none' },
  },
  live: {
    activate: null,
    request_verification: { status: 'live', verification: 'requested' },
    suspend: { status: 'suspended', verification: 'none' },
    revise: null,
    verify: { status: 'live', verification: 'verified' },
    reject: { status: 'rejected', verification: 'none' },
    take_down: { status: 'suspended', verification: 'none' },
    reopen: null,
  },
  rejected: {
    activate: null,
    request_verification: null,
    suspend: null,
    revise: { status: 'draft', verification: 'none' },
    verify: null,
    reject: null,
    take_down: null,
    reopen: { status: 'draft', verification: 'none' },
  },
  suspended: {
    activate: null,
    request_verification: null,
    suspend: null,
    revise: { status: 'draft', verification: 'none' },
    verify: null,
    reject: { status: 'rejected', verification: 'none' },
    take_down: { status: 'suspended', verification: 'none' },
    reopen: { status: 'draft', verification: 'none' },
  },
}

/** The parts of a listing that decide the result of an action. */
interface Moved {
  readonly status: ListingStatus
  readonly verification: Verification
  /** The operator's rejection or suspension in force; null if there is none. */
  readonly rejection: Pick<Rejection, 'kind'> | null
}

/**
 * Returns the result of an action. A review is requested once: not again while it is open or granted. A listing that
 * the operator rejected or took down may be revised by its owner, but not activated until the operator lifts that.
 */
export function transition({ status, verification, rejection }: Moved, action: Action): Next {
  if (action === 'activate' && rejection) return null
  if (action === 'reopen' && !rejection) return null
  if (action === 'take_down' && rejection) return null
  if (action === 'request_verification' && verification !== 'none') return null
  if (action === 'verify' && verification === 'verified') return null
  return TRANSITIONS[status][action]
}

/** Says that an action does not apply to a state, and which actions of the owner do. */
export function notApplicable(
  action: StatusAction,
  { status, verification }: Pick<Moved, 'status' | 'verification'>,
  applies: (action: StatusAction) => boolean,
): string {
  const state = verification === 'none' ? status : `${status} with verification ${verification}`
  const possible = StatusAction.options.filter(applies)
  const instead = possible.length > 0 ? ` Possible now: ${possible.join(', ')}.` : ''
  return `The action ${action} does not apply to a listing that is ${state}.${instead}`
}

import { MINUTE_MS, SECOND_MS } from '@callboard/values'

/** The outcome of asking an upstream for a model. */
export type Outcome =
  /** It answered, or refused the request itself, as any other upstream would. */
  | { readonly kind: 'answered' }
  /** It could not be reached, was too slow, or answered with an error of its own. */
  | { readonly kind: 'failed' }
  /** 403: it does not allow the key this model, or this one request. A client can cause it, so its pauses are short. */
  | { readonly kind: 'forbidden' }
  /** 404: it does not have the model, which is the operator’s problem and not the client’s. */
  | { readonly kind: 'model_missing' }
  /** Its answer began and broke off. */
  | { readonly kind: 'broken' }
  /** It says itself when to retry. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }
  /** It refuses the operator’s key, or there is none. */
  | { readonly kind: 'key_refused' }
  /** We cancelled: the client went away, another upstream was faster, or an answer that is not streamed took too long. */
  | { readonly kind: 'abandoned' }

/** Whether an upstream is asked for a model, and the facts that decide it; times in milliseconds. */
export interface Breaker {
  /** Asked; passed over; passed over while one call tests whether it has recovered. */
  readonly status: 'closed' | 'open' | 'trying'
  /** When an open breaker may be tried. */
  readonly until: number
  /** Consecutive failures. */
  readonly failures: number
  /** Consecutive openings. */
  readonly openings: number
  /** Calls and failures since the window began. */
  readonly window: { readonly since: number; readonly asked: number; readonly failed: number }
}

/** The time, and the randomness of a pause; `chance` is drawn from [0, 1). */
export interface Moment {
  readonly now: number
  readonly chance: number
}

export const CLOSED: Breaker = {
  ...{ status: 'closed', until: 0, failures: 0, openings: 0 },
  window: { since: 0, asked: 0, failed: 0 },
}

/** Consecutive failures that open it. */
export const FAILURES = 5
/** It also opens when half of the calls in a window fail, if there are enough to judge by. */
export const WINDOW = { ms: 30 * SECOND_MS, asked: 20, share: 0.5 }
/** Pauses double with each opening; chance takes up to a fifth off, so that replicas do not retry at the same time. */
export const PAUSE = { firstMs: SECOND_MS, longestMs: 30 * SECOND_MS, jitter: 0.2 }
/** The longest pause that an upstream can ask for. */
export const LONGEST_RETRY_AFTER_MS = MINUTE_MS
/** A refused key stays refused until its operator acts. */
export const KEY_PAUSE_MS = 5 * MINUTE_MS

type Next = (breaker: Breaker, at: Moment, outcome: Outcome) => Breaker

const closes: Next = () => CLOSED
const stays: Next = (breaker) => breaker

function openFor(breaker: Breaker, { now }: Moment, ms: number): Breaker {
  const until = Math.max(breaker.status === 'open' ? breaker.until : 0, now + ms)
  return { ...CLOSED, status: 'open', until, openings: breaker.openings + 1 }
}

const pauses: Next = (breaker, at) => {
  const pause = Math.min(PAUSE.firstMs * 2 ** breaker.openings, PAUSE.longestMs)
  return openFor(breaker, at, pause * (1 - PAUSE.jitter * at.chance))
}
const pausesForKey: Next = (breaker, at) => openFor(breaker, at, KEY_PAUSE_MS)
const pausesAsTold: Next = (breaker, at, outcome) => {
  const told = outcome.kind === 'unavailable' ? outcome.retryAfterMs : 0
  return openFor(breaker, at, Math.min(Math.max(told, PAUSE.firstMs), LONGEST_RETRY_AFTER_MS))
}
const mayBeTriedAgain: Next = (breaker, { now }) => ({ ...breaker, status: 'open', until: now })

const counted = ({ window }: Breaker, now: number, more: { asked: number; failed: number }) => {
  const { since, asked, failed } = now - window.since < WINDOW.ms ? window : { since: now, asked: 0, failed: 0 }
  return { since, asked: asked + more.asked, failed: failed + more.failed }
}

const counts =
  (more: { asked: number; failed: number }, opens: Next): Next =>
  (breaker, at, outcome) => {
    const window = counted(breaker, at.now, more)
    // An answer that breaks off began as a success, so only the window shows it.
    const failures = more.failed === 0 ? 0 : breaker.failures + more.asked
    const isBad = window.asked >= WINDOW.asked && window.failed >= window.asked * WINDOW.share
    if (more.failed > 0 && (failures >= FAILURES || isBad)) return opens(breaker, at, outcome)
    return { ...breaker, failures, window }
  }

/** What follows each outcome. An open upstream is asked when nothing else is left, so outcomes reach it, too. */
const NEXT: Readonly<Record<Breaker['status'], Readonly<Record<Outcome['kind'], Next>>>> = {
  closed: {
    answered: counts({ asked: 1, failed: 0 }, pauses),
    failed: counts({ asked: 1, failed: 1 }, pauses),
    forbidden: counts({ asked: 1, failed: 1 }, pauses),
    model_missing: counts({ asked: 1, failed: 1 }, pauses),
    broken: counts({ asked: 0, failed: 1 }, pauses),
    unavailable: pausesAsTold,
    key_refused: pausesForKey,
    abandoned: stays,
  },
  open: {
    answered: closes,
    failed: stays,
    forbidden: stays,
    model_missing: stays,
    broken: stays,
    unavailable: pausesAsTold,
    key_refused: pausesForKey,
    abandoned: stays,
  },
  trying: {
    answered: closes,
    failed: pauses,
    forbidden: pauses,
    model_missing: pauses,
    broken: pauses,
    unavailable: pausesAsTold,
    key_refused: pausesForKey,
    abandoned: mayBeTriedAgain,
  },
}

export const OUTCOMES = Object.keys(NEXT.closed) as Outcome['kind'][]

/** The breaker after an outcome. */
export const afterwards = (breaker: Breaker, outcome: Outcome, at: Moment): Breaker =>
  NEXT[breaker.status][outcome.kind](breaker, at, outcome)

/** Whether a call may be sent. No pause exceeds a key's: a longer one means that the clock was set back. */
export const isReady = ({ status, until }: Breaker, now: number): boolean =>
  status === 'closed' || (status === 'open' && (now >= until || until - now > KEY_PAUSE_MS))

/** The breaker once a call is sent: the first call after a pause is the trial. */
export const asked = (breaker: Breaker, now: number): Breaker =>
  breaker.status === 'open' && isReady(breaker, now) ? { ...breaker, status: 'trying' } : breaker

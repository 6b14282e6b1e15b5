/**
 * The state of a payment. `absent` has no row.
 *
 * `claimed` the key is ours, nothing else is known · `refused` verification refused it, nothing was signed · `verified`
 * the token would accept it · `signed` our transaction is stored and perhaps sent · `broadcast` it was handed to a
 * node, or we cannot know · `preconfirmed` its sequencer says that the block being built moves the money · `mined` the
 * money moved, in a block that may still go away · `safe` its nodes call that block safe · `final` that block cannot go
 * away · `reverted` the transaction failed or went away, and its authorization, which every reader of the chain has by
 * now, may still be used · `failed` it can no longer happen.
 */
export const STATES = [
  'absent',
  'claimed',
  'refused',
  'verified',
  'signed',
  'broadcast',
  'preconfirmed',
  'mined',
  'safe',
  'final',
  'reverted',
  'failed',
] as const
export type State = (typeof STATES)[number]

/**
 * What moves a payment. `presented` a caller asks to settle it · `released` the chain does not answer and nothing was
 * signed · `approved`, `refused` the verdict of verification · `refused_shown` it refused a payment that a transaction
 * has shown · `stored` the raw transaction and its chain nonce are written · `sent` it was given to a node ·
 * `preconfirmed` a node gave its receipt of the block being built · `included` the money moved, by our transaction or a
 * third party's · `spent` the authorization was cancelled or used for something else, in a final block · `overtaken`
 * the same in a block that may still go away, and our transaction failed for it · `reverted` our transaction failed and
 * the authorization is unused · `expired` it is unused and its window is over, by chain time · `retried` our
 * transaction failed by our own fault or the token's, and the authorization is unused · `displaced` another transaction
 * took our chain nonce · `vanished` the block with the outcome is gone, or no block has the preconfirmed transaction ·
 * `vanished_unsigned` the same, where the transaction was a third party's · `secured`, `finalized` the outcome's block
 * is at or below its nodes' safe or finalized one.
 */
export const EVENTS = [
  'presented',
  'released',
  'approved',
  'refused',
  'refused_shown',
  'stored',
  'sent',
  'preconfirmed',
  'included',
  'spent',
  'overtaken',
  'reverted',
  'expired',
  'retried',
  'displaced',
  'vanished',
  'vanished_unsigned',
  'secured',
  'finalized',
] as const
export type Event = (typeof EVENTS)[number]

/** The state an event leads to; null where the event cannot happen. */
export type Next = State | null

const nothing: Record<Event, Next> = {
  presented: null,
  released: null,
  approved: null,
  refused: null,
  refused_shown: null,
  stored: null,
  sent: null,
  preconfirmed: null,
  included: null,
  spent: null,
  overtaken: null,
  reverted: null,
  expired: null,
  retried: null,
  displaced: null,
  vanished: null,
  vanished_unsigned: null,
  secured: null,
  finalized: null,
}

/** The whole state machine. The README shows it, tests walk it, `nextState` reads it. */
export const TRANSITIONS: Record<State, Record<Event, Next>> = {
  absent: { ...nothing, presented: 'claimed' },
  claimed: {
    ...nothing,
    released: 'absent',
    approved: 'verified',
    refused: 'refused',
    refused_shown: 'reverted',
    included: 'mined',
  },
  refused: { ...nothing, presented: 'claimed' },
  verified: {
    ...nothing,
    released: 'absent',
    approved: 'verified',
    refused: 'refused',
    refused_shown: 'reverted',
    included: 'mined',
    stored: 'signed',
  },
  signed: { ...nothing, sent: 'broadcast' },
  broadcast: {
    ...nothing,
    preconfirmed: 'preconfirmed',
    included: 'mined',
    spent: 'failed',
    overtaken: 'reverted',
    reverted: 'reverted',
    expired: 'failed',
    retried: 'verified',
    displaced: 'verified',
  },
  preconfirmed: { ...nothing, included: 'mined', vanished: 'broadcast' },
  mined: { ...nothing, vanished: 'broadcast', vanished_unsigned: 'claimed', secured: 'safe', finalized: 'final' },
  safe: { ...nothing, vanished: 'broadcast', vanished_unsigned: 'claimed', finalized: 'final' },
  final: nothing,
  reverted: { ...nothing, included: 'mined', spent: 'failed', expired: 'failed', vanished: 'broadcast' },
  failed: nothing,
}

/**
 * The state after an event.
 * @throws Error when the event cannot happen in that state: a bug, never an answer
 */
export function nextState(state: State, event: Event): State {
  const next = TRANSITIONS[state][event]
  if (next === null) throw new Error(`a ${state} payment cannot be ${event}`)
  return next
}

/**
 * The events from a state to a transaction's outcome. That it was sent is written together with its outcome, where the
 * chain gives the outcome at once.
 */
export const onceSent = (state: State, event: Event): readonly Event[] =>
  state === 'signed' ? ['sent', event] : [event]

/** States in which a runner has work to do. */
export const OPEN_STATES = ['claimed', 'verified', 'signed', 'broadcast'] as const satisfies readonly State[]
/** States whose block is watched because it may go away. */
export const WATCHED_STATES = ['mined', 'safe', 'reverted'] as const satisfies readonly State[]
/** States between the claim and the end. */
export const UNFINISHED_STATES = [...OPEN_STATES, 'preconfirmed', ...WATCHED_STATES] as const satisfies readonly State[]
/** States in which our transaction is neither in a block nor in the one being built. */
export const IN_FLIGHT_STATES = ['signed', 'broadcast'] as const satisfies readonly State[]
/** States in which what our transaction moves and may burn is reserved, since it is in no block of the chain. */
export const RESERVED_STATES = [...IN_FLIGHT_STATES, 'preconfirmed'] as const satisfies readonly State[]

const open: ReadonlySet<State> = new Set(OPEN_STATES)

export const isOpen = (state: State): boolean => open.has(state)

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  EVENTS,
  IN_FLIGHT_STATES,
  isOpen,
  nextState,
  OPEN_STATES,
  onceSent,
  RESERVED_STATES,
  STATES,
  type State,
  TRANSITIONS,
  UNFINISHED_STATES,
  WATCHED_STATES,
} from './payment-state.ts'

const exits = (state: State) => EVENTS.flatMap((event) => TRANSITIONS[state][event] ?? [])

/** Every state reachable from one, including itself. */
function reachable(from: State): Set<State> {
  const found = new Set<State>([from])
  for (const state of found) for (const next of exits(state)) found.add(next)
  return found
}

describe('the transition table', () => {
  test('has a cell for every event in every state, and each leads to a state or nowhere', () => {
    expect(Object.keys(TRANSITIONS)).toEqual([...STATES])
    for (const state of STATES) {
      expect(Object.keys(TRANSITIONS[state]).sort()).toEqual([...EVENTS].sort())
      for (const next of exits(state)) expect(STATES).toContain(next)
    }
  })

  test('every state can be reached, and every open state can come to an end', () => {
    expect(reachable('absent')).toEqual(new Set(STATES))
    for (const state of OPEN_STATES) {
      expect(reachable(state)).toContain('final')
      expect(reachable(state)).toContain('failed')
    }
  })

  test('final and failed have no exits', () => {
    expect(exits('final')).toEqual([])
    expect(exits('failed')).toEqual([])
  })

  test('a payment is signed only after it is verified', () => {
    for (const state of STATES) expect(exits(state).includes('signed')).toBe(state === 'verified')
  })

  test('a payment that may be on its way is never given up or refused before the chain decides', () => {
    for (const state of IN_FLIGHT_STATES) {
      const { released, refused, presented } = TRANSITIONS[state]
      expect([released, refused, presented]).toEqual([null, null, null])
    }
  })

  test('a payment fails only when its window ends or another use spends it, even if our transaction failed', () => {
    const ways = STATES.flatMap((state) =>
      EVENTS.filter((event) => TRANSITIONS[state][event] === 'failed').map((event) => `${state} ${event}`),
    )
    expect(ways.sort()).toEqual(['broadcast expired', 'broadcast spent', 'reverted expired', 'reverted spent'])
  })

  test('a success is never forgotten: it advances, or is on its way again', () => {
    expect(new Set(exits('preconfirmed'))).toEqual(new Set(['broadcast', 'mined']))
    expect(new Set(exits('mined'))).toEqual(new Set(['broadcast', 'claimed', 'safe', 'final']))
    expect(new Set(exits('safe'))).toEqual(new Set(['broadcast', 'claimed', 'final']))
  })

  test('a preconfirmed payment keeps its reservation, and only a block can conclude it', () => {
    for (const state of STATES) {
      expect(exits(state).includes('preconfirmed')).toBe(state === 'broadcast')
    }
    expect(RESERVED_STATES).toContain('preconfirmed')
  })
})

test('the README shows this table', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const rows = STATES.map((state) => {
    const moves = EVENTS.flatMap((event) => {
      const next = TRANSITIONS[state][event]
      return next ? [`${event} → ${next}`] : []
    })
    return `| ${state} | ${moves.join(', ') || 'none'} |`
  })
  expect(readme).toContain(['|---|---|', ...rows, '<!-- /transitions -->'].join('\n'))
})

describe('nextState', () => {
  test('default', () => expect(nextState('claimed', 'approved')).toBe('verified'))

  test('error: an impossible event is a bug', () => {
    expect(() => nextState('final', 'vanished')).toThrow('a final payment cannot be vanished')
  })
})

test('isOpen: true exactly for the states in which there is work to do', () => {
  expect(STATES.filter(isOpen)).toEqual([...OPEN_STATES])
})

test('names the states in which a runner works, a block is watched, and money may move', () => {
  expect(OPEN_STATES).toEqual(['claimed', 'verified', 'signed', 'broadcast'])
  expect(WATCHED_STATES).toEqual(['mined', 'safe', 'reverted'])
  expect(RESERVED_STATES).toEqual(['signed', 'broadcast', 'preconfirmed'])
  expect(UNFINISHED_STATES).toEqual(
    STATES.filter((state) => state !== 'absent' && state !== 'refused' && exits(state).length > 0),
  )
  expect(IN_FLIGHT_STATES).toEqual(['signed', 'broadcast'])
  expect(STATES.filter((state) => TRANSITIONS[state].finalized)).toEqual(['mined', 'safe'])
})

describe('onceSent', () => {
  test('default: what the chain reports about a transaction not known to be sent also marks it as sent', () => {
    expect(onceSent('signed', 'included')).toEqual(['sent', 'included'])
    expect(onceSent('broadcast', 'included')).toEqual(['included'])
  })

  test('behavior: every event of a sent transaction can also happen before it is recorded as sent', () => {
    for (const event of EVENTS.filter((one) => TRANSITIONS.broadcast[one])) {
      const [from, then] = onceSent('signed', event)
      expect(nextState(nextState('signed', from ?? event), then ?? event)).toBe(nextState('broadcast', event))
    }
  })
})

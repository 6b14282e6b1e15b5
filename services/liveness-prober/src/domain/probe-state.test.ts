import { ProbeState } from '@callboard/contract'
import { expect, test } from 'vitest'
import { UP_STATES, VERDICTS } from './probe-state.ts'

const statesOf = (verdict: string) => ProbeState.options.filter((state) => VERDICTS[state] === verdict)

test('only an endpoint that asks for payment is up', () => {
  expect(statesOf('up')).toEqual(['ok_402', 'mpp'])
  expect(UP_STATES).toEqual(['ok_402', 'mpp'])
})

test('only a rate limit counts neither way', () => {
  expect(statesOf('neutral')).toEqual(['rate_limited'])
})

test('every other state is down, including that of an endpoint that no longer charges', () => {
  const others = ProbeState.options.filter((state) => !['ok_402', 'mpp', 'rate_limited'].includes(state))
  expect(statesOf('down')).toEqual(others)
  expect(others).toContain('open')
  expect(others).toHaveLength(13)
})

import { expect, test } from 'vitest'
import { askForHeartbeats, HEARTBEAT, sendHeartbeats } from './heartbeat.ts'

const signs = (headers: Record<string, string>): number => {
  let beats = 0
  sendHeartbeats(headers, () => {
    beats += 1
  })()
  return beats
}

test('a caller that waits for longer than a silence asks for heartbeats, and gets the first at once', () => {
  expect(signs(askForHeartbeats(HEARTBEAT.idleTimeoutMs + 1, HEARTBEAT))).toBe(1)
})

test('a caller that waits for less does not, and a release before never did: they get the answer alone', () => {
  expect(signs(askForHeartbeats(HEARTBEAT.idleTimeoutMs, HEARTBEAT))).toBe(0)
  expect(signs({})).toBe(0)
})

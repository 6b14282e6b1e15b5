import { expect, test } from 'vitest'
import { askForHeartbeats, HEARTBEAT, sendHeartbeats } from './heartbeat.ts'

const signs = (headers: Record<string, string>): number => {
  let beats = 0
  sendHeartbeats(headers, () => {
    beats += 1
  })()
  return beats
}

test('a caller that waits longer than the idle timeout asks for heartbeats and gets the first at once', () => {
  expect(signs(askForHeartbeats(HEARTBEAT.idleTimeoutMs + 1, HEARTBEAT))).toBe(1)
})

test('a caller that waits less, or is of the previous release, gets no heartbeats', () => {
  expect(signs(askForHeartbeats(HEARTBEAT.idleTimeoutMs, HEARTBEAT))).toBe(0)
  expect(signs({})).toBe(0)
})

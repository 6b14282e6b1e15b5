import { expect, test } from 'vitest'
import { sessionEnd } from './session-life.ts'

const HOUR = 3_600_000
const limits = { SESSION_IDLE_HOURS: 24, SESSION_MAX_HOURS: 168 }
const SIGNED_IN = 1_800_000_000_000

const endAfter = (lastUseHours: number) =>
  sessionEnd({ created_at: new Date(SIGNED_IN), last_seen_at: new Date(SIGNED_IN + lastUseHours * HOUR) }, limits)

test.each([
  [0, 24],
  [1, 25],
  [143, 167],
  [144, 168],
  [145, 168],
  [167, 168],
])(
  'a session last used %i hours after sign-in ends %i hours after it: a day unused, or a week at the latest',
  (lastUse, end) => {
    expect(endAfter(lastUse)).toBe(SIGNED_IN + end * HOUR)
  },
)

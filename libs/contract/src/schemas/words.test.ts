import { expect, test } from 'vitest'
import { Timestamp } from './words.ts'

test.each(['2026-12-22T09:30:00+02:00', '2026-12-22', 'tomorrow', ''])(
  'a time that is not in UTC is refused for that, and not as none: %j',
  (text) => {
    expect(Timestamp.safeParse(text).error?.issues[0]?.message).toBe(
      'must be a time in UTC, such as 2026-12-22T09:30:00Z',
    )
  },
)

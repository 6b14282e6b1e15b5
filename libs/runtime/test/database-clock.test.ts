import { openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { HOUR_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { DatabaseClock } from '../src/databases/database-clock.ts'
import { createLogger } from '../src/telemetry/log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

const LATE_MS = 5_000

/** The clock of a machine with the given error, on a connection of its own. */
async function onMachine<Result>(offMs: number, use: (clock: DatabaseClock) => Promise<Result>): Promise<Result> {
  const { db, close } = openDatabase<never>({
    url: database.url,
    schema: 'public',
    maxConnections: 1,
    onError: () => {},
  })
  const machine = { now: () => Date.now() + offMs }
  try {
    return await use(new DatabaseClock(db, createLogger('silent'), machine))
  } finally {
    await close()
  }
}

test.each([-2 * HOUR_MS, 5 * 60_000])(
  'a machine whose clock is off by %d ms uses the database’s time',
  async (offMs) => {
    await onMachine(offMs, async (clock) => {
      await clock.compare()
      expect(Math.abs(clock.now() - Date.now())).toBeLessThan(LATE_MS)
    })
  },
)

test('a machine whose clock is right uses its own time', async () => {
  await onMachine(300, async (clock) => {
    await clock.compare()
    expect(clock.now() - Date.now()).toBeGreaterThanOrEqual(299)
    expect(clock.now() - Date.now()).toBeLessThan(1_000)
  })
})

test('while the database is unavailable, the last known offset applies', async () => {
  const kept = await onMachine(-HOUR_MS, async (clock) => {
    await clock.compare()
    return clock
  })
  await expect(kept.compare()).rejects.toThrow()
  expect(Math.abs(kept.now() - Date.now())).toBeLessThan(LATE_MS)
})

import { randomUUID } from 'node:crypto'
import { router } from '@callboard/router'
import { startTestServices, type TestServices, testDatabase } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { printWhy } from '../src/verbs/router-why.ts'

const [KEY, CALL] = [randomUUID(), randomUUID()]
const OWNER = `0x${'5'.repeat(40)}`

let database: Awaited<ReturnType<typeof testDatabase>>
let services: TestServices
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  services = await startTestServices([router], { databaseUrl: database.url, env: { COMPUTE_DAILY_USD: '2' } })
  await database.query(
    `insert into router.router_key (id, hash, prefix, owner, source, label, created_at, ended_at)
     values ($1, sha256('secret'), 'cb_router_abc', $2, 'compute', 'notes', '2026-11-23T09:00Z', '2026-11-23T18:00Z')`,
    [KEY, OWNER],
  )
  await database.query(
    `insert into router.call (call_id, key_id, owner, source, day, amount_nano, model, price_version, surface, created_at,
       expires_at, state)
     values ($1, $2, $3, 'compute', '2026-11-23', 1500000000, 'small', '1', 'chat', '2026-11-23T12:00Z',
       '2026-11-23T12:11Z', 'held')`,
    [CALL, KEY, OWNER],
  )
  await database.query(
    `insert into router.refusal (key_id, refused_at, model, surface, level, asked_nano, left_nano, in_flight_nano)
     values ($1, '2026-11-23T12:05:02Z', 'small', 'chat', 'owner', 900000000, 500000000, 1500000000)`,
    [KEY],
  )
})
afterAll(async () => {
  await services?.stop()
  await database?.drop()
})

/** What is printed, and the exit code. */
async function said(key: string, time: string, amount?: string) {
  const [log, error] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  const printed: string[] = []
  for (const spy of [log, error]) spy.mockImplementation((line: string) => void printed.push(line))
  const code = await printWhy(services, key, time, amount)
  for (const spy of [log, error]) spy.mockRestore()
  return { code, text: printed.join('\n') }
}

test('explains a moment: each level, its holds, the level that refuses, and the recorded refusal', async () => {
  expect(await said('cb_router_abc', '2026-11-23T12:05:00Z', '0.9')).toEqual({
    code: 0,
    text: `key ${KEY} cb_router_abc… “notes”, source compute, owner ${OWNER}
At 2026-11-23T12:05:00Z:
  owner    0.5 USD left of 2: 0 spent, 1.5 held (the limit as it is now; what it was then is not recorded)
  key      no limit, 0 spent, 1.5 held
  calls    1 of 10 under way, 0 of 60 admitted in the minute before
  held     1.5 USD by call ${CALL} of key ${KEY}, small, since 2026-11-23T12:00:00.000Z
A call of 0.9 USD would have been refused by the owner limit.
Refused at 2026-11-23T12:05:02.000Z: small had to hold 0.9 USD, the owner limit had 0.5 USD left and 1.5 USD in calls under way.`,
  })
})

test('without an amount it names the largest admissible call; a time with an offset is the same moment', async () => {
  const { text } = await said(KEY, '2026-11-23T13:30:00+01:00')
  expect(text).toContain('At 2026-11-23T12:30:00.000Z:')
  expect(text).toContain('The largest call that would have been admitted: 0.5 USD.')
  expect(text).toContain('No refusal of a limit is noted within 5 seconds of it')
  expect((await said(KEY, '2026-11-23T12:30:00Z', '0.5')).text).toContain('No limit refused a call of 0.5 USD.')
})

test('before a key was created and after it ended, it gives that as the reason', async () => {
  expect((await said(KEY, '2026-11-23T08:00:00Z')).text).toContain('It did not exist yet: it was made at')
  expect((await said(KEY, '2026-11-23T18:00:00Z')).text).toContain('It had ended at 2026-11-23T18:00:00.000Z')
})

test('error: an unknown key, an invalid time, an invalid amount', async () => {
  const noon = '2026-11-23T12:00:00Z'
  expect(await said('none', noon)).toEqual({
    code: 1,
    text: 'none: there is no such key; give its id, or the first 16 characters of its secret, as /account shows them',
  })
  expect(await said(KEY, 'yesterday')).toMatchObject({
    code: 2,
    text: expect.stringContaining('is not a time such as'),
  })
  for (const amount of ['-1', '1e3', '0.0000000001', 'much']) {
    expect(await said(KEY, noon, amount)).toEqual({
      code: 2,
      text: 'must be a decimal USD amount of at most 9 decimals',
    })
  }
})

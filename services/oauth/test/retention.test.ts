import { oauth as operations } from '@callboard/contract'
import { granted, runOnce } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, isRefusal } from '@callboard/values'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../src/jobs.ts'
import { Stage, session } from './stage.ts'

const DAYS_AFTER_THE_END = 90
const LINK_MAX_DAYS = 30

let stage: Stage
let beganAt: number
beforeEach(async () => {
  const never = { SESSION_MAX_HOURS: '8760', SESSION_IDLE_HOURS: '720', CLIENT_NEVER_GRANTED_DAYS: '365' }
  stage = await Stage.open({ env: { LINK_MAX_DAYS: String(LINK_MAX_DAYS), ...never } })
  beganAt = stage.clock.now()
})
afterEach(() => stage.close())

/** Runs the job once, a number of days after the beginning. */
async function sweepAfter(days: number): Promise<void> {
  stage.clock.advance(beganAt + days * DAY_MS - stage.clock.now())
  await runOnce(sweep, stage.context)
}

const by = { caller: session }
const familiesOf = async (client: { client_id: string }) =>
  (await stage.database.query('select id from oauth.token_family where client_id = $1', [client.client_id])).length

async function allowed(more: Record<string, unknown> = {}) {
  const client = await stage.register(more)
  return { client, tokens: granted(await stage.token(await stage.approved(client))) }
}

describe('a grant that its owner ended', () => {
  test('is kept for a quarter of a year, and then deleted', async () => {
    const { client } = await allowed()
    granted(await stage.call(operations.endClientGrants, {}, by))
    await sweepAfter(DAYS_AFTER_THE_END - 1)
    expect(await familiesOf(client)).toBe(1)
    await sweepAfter(DAYS_AFTER_THE_END + 1)
    expect(await familiesOf(client)).toBe(0)
  })
})

describe('a grant that lapsed', () => {
  test('is kept for as long after the last day on which it could have been refreshed', async () => {
    const { client } = await allowed()
    await sweepAfter(LINK_MAX_DAYS + DAYS_AFTER_THE_END - 1)
    expect(await familiesOf(client)).toBe(1)
    await sweepAfter(LINK_MAX_DAYS + DAYS_AFTER_THE_END + 1)
    expect(await familiesOf(client)).toBe(0)
  })

  test('is kept with a used token, which reveals a thief', async () => {
    const { client, tokens } = await allowed()
    const refresh = { client_id: client.client_id, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const next = granted(await stage.token(refresh))
    const late = new Date(beganAt + 1_000 * DAY_MS)
    await stage.database.query('update oauth.refresh_token set expires_at = $1', [late])
    await sweepAfter(LINK_MAX_DAYS + DAYS_AFTER_THE_END + 1)
    expect(await familiesOf(client)).toBe(1)
    stage.clock.advance(HOUR_MS)
    expect(isRefusal(await stage.token(refresh))).toBe(true)
    expect(isRefusal(await stage.token({ ...refresh, refresh_token: next.refresh_token }))).toBe(true)
  })

  test('of an agent is kept until it has ended, which is what ends its link', async () => {
    const { client } = await allowed()
    await stage.database.query("update oauth.token_family set client_id = 'agent_0x1' where client_id = $1", [
      client.client_id,
    ])
    await sweepAfter(LINK_MAX_DAYS + DAYS_AFTER_THE_END + 1)
    expect(await familiesOf({ client_id: 'agent_0x1' })).toBe(1)
  })
})

test('a revoked grant of a session’s own pages does not come back to life while the session continues', async () => {
  const token = granted(await stage.call(operations.consoleToken, {}, { caller: stage.signedIn })).access_token
  await stage.database.query("update oauth.token_family set revoked_at = to_timestamp(0) where client_id = 'console'")
  const seen = new Date(beganAt + 200 * DAY_MS)
  await stage.database.query('update oauth.session set last_seen_at = $1', [seen])
  await sweepAfter(200)
  expect(await stage.callerOf(token)).toBeUndefined()
  expect(await familiesOf({ client_id: 'console' })).toBe(1)
  const next = granted(await stage.call(operations.consoleToken, {}, { caller: stage.signedIn })).access_token
  expect(await stage.callerOf(next)).toBeUndefined()
  await stage.database.query('delete from oauth.session')
  await sweepAfter(201)
  expect(await familiesOf({ client_id: 'console' })).toBe(0)
})

test('a revoked API key is kept for a quarter of a year, and then deleted; others stay', async () => {
  const make = async (label: string) =>
    granted(await stage.call(operations.createKey, { label }, { caller: stage.signedIn }))
  const [gone, stays] = [await make('gone'), await make('stays')]
  granted(await stage.call(operations.deleteKey, { id: gone.id }, by))
  const ids = async () => (await stage.database.query('select id from oauth.api_key')).map(({ id }) => id)
  await sweepAfter(DAYS_AFTER_THE_END - 1)
  expect(await ids()).toHaveLength(2)
  await sweepAfter(DAYS_AFTER_THE_END + 1)
  expect(await ids()).toEqual([stays.id])
  expect(await stage.callerOf(stays.key)).toBeDefined()
})

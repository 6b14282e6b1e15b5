import { oauth as operations } from '@callboard/contract'
import { openDatabase } from '@callboard/store'
import { granted } from '@callboard/testkit'
import { DAY_MS, isRefusal } from '@callboard/values'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepNeverGranted } from '../src/store/client.repository.ts'
import type { OauthTables } from '../src/store/tables.ts'
import { goodRequest, SITE, Stage } from './stage.ts'

const METADATA = { redirect_uris: [SITE], token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] }
const requester = (address: string) => ({ address, userAgent: null })

describe('the limits on registrations', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await Stage.open({ env: { CLIENTS_PER_NETWORK: '3', CLIENTS_IN_ALL: '5' } })
  })
  afterEach(() => stage.close())

  const from = (address: string) => stage.call(operations.register, { ...METADATA, requester: requester(address) })
  const refusalsOf = (answers: readonly object[]) =>
    answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))

  test('429 rate_limited: one network gets no more than its limit, out of twenty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => from(`192.0.2.${n}`)))
    expect(refusalsOf(answers)).toEqual(Array(17).fill('rate_limited'))
    expect(answers.find(isRefusal)).toMatchObject({ retryAfterSeconds: 3_600 })
    expect(isRefusal(await from('192.0.3.1'))).toBe(false)
  })

  test('503 temporarily_unavailable: all networks together get no more than the total, out of twenty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => from(`2001:db8:${n.toString(16)}::1`)))
    expect(refusalsOf(answers)).toEqual(Array(15).fill('temporarily_unavailable'))
    expect(answers.find(isRefusal)).toMatchObject({ retryAfterSeconds: 3_600 })
  })

  test('a deleted client frees its place, and a registration refused for its content takes none', async () => {
    const bad = { ...METADATA, redirect_uris: ['javascript:alert(1)'], requester: requester('192.0.2.1') }
    for (let n = 0; n < 5; n += 1) expect(isRefusal(await stage.call(operations.register, bad))).toBe(true)
    const [first] = [await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')].map(granted)
    expect(refusalsOf([await from('192.0.2.4')])).toEqual(['rate_limited'])
    const { client_id: clientId = '', registration_access_token } = first ?? {}
    granted(await stage.call(operations.deleteClient, { clientId, registration_access_token }))
    expect(isRefusal(await from('192.0.2.4'))).toBe(false)
  })
})

describe('clients to which no owner grants anything', () => {
  let stage: Stage
  let database: ReturnType<typeof openDatabase<OauthTables>>
  beforeAll(async () => {
    stage = await Stage.open()
    database = openDatabase<OauthTables>({
      ...{ url: stage.database.url, schema: 'oauth', maxConnections: 1 },
      onError: (error) => {
        throw error
      },
    })
  })
  afterAll(async () => {
    await database.close()
    await stage.close()
  })

  test('are removed after a while, however often they identify themselves; others are not', async () => {
    const [idle, busy, allowed] = [await stage.register(), await stage.register(), await stage.register()]
    const [asking, ended] = [await stage.register(), await stage.register()]
    const isKnown = async ({ client_id }: { client_id: string }) => !isRefusal(await stage.ask(goodRequest(client_id)))
    const sweep = (days: number) => {
      const before = new Date(stage.clock.now() + days * DAY_MS)
      return sweepNeverGranted(database.db, before, before)
    }
    const tokens = granted(await stage.token(await stage.approved(allowed)))
    granted(await stage.token(await stage.approved(ended)))
    await stage.approved(asking)
    await stage.database.query('delete from oauth.authorization_code where client_id <> $1', [asking.client_id])
    const naming = { client_id: busy.client_id, code: 'unknown', code_verifier: 'unknown' }
    expect(await stage.token(naming)).toMatchObject({ refusal: 'invalid_grant' })
    const now = stage.clock.now()
    const revoked = 'update oauth.token_family set revoked_at = $2 where client_id = $1'
    await stage.database.query(revoked, [ended.client_id, new Date(now + DAY_MS)])
    await sweep(-1)
    for (const client of [idle, busy, allowed, asking, ended]) expect(await isKnown(client)).toBe(true)
    await sweep(0.5)
    for (const client of [idle, busy]) expect(await isKnown(client)).toBe(false)
    for (const client of [allowed, asking, ended]) expect(await isKnown(client)).toBe(true)
    await sweep(2)
    expect(await isKnown(ended)).toBe(false)
    expect(await isKnown(allowed)).toBe(true)
    expect(await stage.callerOf(tokens.access_token)).toBeDefined()
  })
})

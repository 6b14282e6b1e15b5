import { type Caller, oauth as operations, type Scope } from '@callboard/contract'
import { openDatabase } from '@callboard/store'
import { granted, startTestServices, type TestServices, UNREACHABLE_DEVNET, until, wallet } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oauth } from '../src/index.ts'
import { holdSession } from '../src/store/session.repository.ts'
import type { OauthTables } from '../src/store/tables.ts'
import { BASE_URL, goodRequest, owner, SITE, Stage, session } from './stage.ts'

const EVERYTHING: Scope[] = ['call.publish', 'router.use', 'mcp:call']
const asked = { scope: EVERYTHING.join(' ') }
const otherOwner = { ...session, owner: wallet(2).address, sessionId: 'two' } as const satisfies Caller

let stage: Stage
let second: TestServices

beforeAll(async () => {
  stage = await Stage.open()
  const { database, clock } = stage
  second = await startTestServices([oauth], {
    databaseUrl: database.url,
    clock,
    env: { BASE_URL, DEVNET: UNREACHABLE_DEVNET },
  })
})
afterAll(async () => {
  await second?.stop()
  await stage?.close()
})
beforeEach(async () => {
  granted(await stage.call(operations.endClientGrants, {}, { caller: session }))
})

const by = { caller: session }
const grants = async (caller: Caller = session) =>
  granted(await stage.call(operations.listClientGrants, {}, { caller })).grants
const only = async () => {
  const [grant, ...more] = await grants()
  if (!grant || more.length > 0) throw new Error('there is one grant')
  return grant
}

/** A registered program that the owner granted everything, and its tokens. */
async function allowedProgram(more: Record<string, unknown> = {}) {
  const client = await stage.register({ client_name: 'Not a bank', ...more })
  const tokens = granted(await stage.token(await stage.approved(client, asked, EVERYTHING)))
  return { client, ...tokens }
}

/** Whether a credential is valid, at each replica. */
async function isGoodAt(credential: string): Promise<boolean[]> {
  const answers = await Promise.all(
    [stage.call, second.call].map((call) => call(operations.introspect, { credential, kind: 'bearer' })),
  )
  return answers.map((answer) => !isRefusal(answer) && answer.active)
}

describe('a grant of an owner to a program', () => {
  test('is listed: who it claims to be, how it registered, where answers went, what it can do, and until when', async () => {
    const { client, access_token } = await allowedProgram()
    await stage.callerOf(access_token)
    const now = stage.clock.now()
    const grant = await only()
    expect(grant).toEqual({
      id: expect.stringMatching(/^grant_[A-Za-z0-9_-]{22}$/),
      client: {
        id: client.client_id,
        registeredBy: 'dynamic_registration',
        registeredAt: isoTime(now),
        documentHost: null,
      },
      claimed: { name: 'Not a bank' },
      redirectHosts: ['client.example'],
      scopes: EVERYTHING,
      audiences: [BASE_URL],
      grantedAt: isoTime(now),
      lastUsedAt: isoTime(now),
      expiresAt: isoTime(now + 30 * DAY_MS),
      endsAt: isoTime(now + 180 * DAY_MS),
    })
    expect(await grants(otherOwner)).toEqual([])
  })

  test('is one per program, however often it was allowed; read individually, it lists each time', async () => {
    const { client } = await allowedProgram()
    stage.clock.advance(HOUR_MS)
    granted(await stage.token(await stage.approved(client, { resource: `${BASE_URL}/mcp` })))
    const { id, audiences, grantedAt } = await only()
    expect(audiences).toEqual([`${BASE_URL}/mcp`, BASE_URL])
    expect(grantedAt).toBe(isoTime(stage.clock.now() - HOUR_MS))
    const { grant } = granted(await stage.call(operations.readClientGrant, { id }, by))
    expect(grant.authorizations).toMatchObject([
      { scopes: ['mcp:call'], audience: `${BASE_URL}/mcp`, redirectHost: 'client.example', lastUsedAt: null },
      { scopes: EVERYTHING, audience: BASE_URL },
    ])
  })

  test('is no longer listed once none of its tokens can be used', async () => {
    await allowedProgram({ grant_types: ['authorization_code'] })
    expect((await only()).expiresAt).toBe(isoTime(stage.clock.now() + HOUR_MS))
    stage.clock.advance(HOUR_MS)
    expect(await grants()).toEqual([])
  })

  test('404 not_found: read or ended by another owner, or by an unknown id', async () => {
    await allowedProgram()
    const { id } = await only()
    for (const [caller, asks] of [
      [otherOwner, id],
      [session, 'grant_of_nothing'],
    ] as const) {
      for (const op of [operations.readClientGrant, operations.endClientGrant]) {
        expect(await stage.call(op, { id: asks }, { caller })).toMatchObject({ refusal: 'not_found' })
      }
    }
    expect(await grants()).toHaveLength(1)
  })

  test('401 unauthorized: no operation on grants works without a session', async () => {
    const agent = { kind: 'api_key', owner, keyId: 'one' } as const
    const attempts = [
      stage.call(operations.listClientGrants, {}, { caller: agent }),
      stage.call(operations.readClientGrant, { id: 'any' }, { caller: agent }),
      stage.call(operations.endClientGrant, { id: 'any' }, { caller: agent }),
      stage.call(operations.endClientGrants, {}, { caller: agent }),
      stage.call(operations.endSessions, {}, { caller: agent }),
    ]
    for (const attempt of attempts) expect(await attempt).toMatchObject({ refusal: 'unauthorized' })
  })
})

describe('ending a grant of an owner to a program', () => {
  test('ends all of its tokens at both replicas at once, including refresh tokens, and no other program’s', async () => {
    const [kept, program] = [await allowedProgram(), await allowedProgram()]
    const again = granted(await stage.token(await stage.approved(program.client, asked, EVERYTHING)))
    const { id } = (await grants()).find(({ client }) => client.id === program.client.client_id) ?? { id: '' }
    expect(await isGoodAt(program.access_token)).toEqual([true, true])
    expect(await second.call(operations.endClientGrant, { id }, by)).toEqual({})
    for (const token of [program.access_token, again.access_token])
      expect(await isGoodAt(token)).toEqual([false, false])
    const { client_id } = program.client
    for (const refresh_token of [program.refresh_token, again.refresh_token]) {
      const refreshed = await stage.token({ grant_type: 'refresh_token', refresh_token, client_id })
      expect(refreshed).toMatchObject({ refusal: 'invalid_grant' })
    }
    expect(await isGoodAt(kept.access_token)).toEqual([true, true])
    expect((await only()).client.id).toBe(kept.client.client_id)
    expect(await stage.call(operations.endClientGrant, { id }, by)).toEqual({})
    expect(await stage.call(operations.readClientGrant, { id }, by)).toMatchObject({ refusal: 'not_found' })
  })

  test('ends a code that waits to be redeemed, even the first one of its program', async () => {
    const [first, known] = [await stage.register(), await allowedProgram()]
    const codes = [await stage.approved(first), await stage.approved(known.client)]
    granted(await stage.call(operations.endClientGrants, {}, by))
    for (const code of codes) expect(await stage.token(code)).toMatchObject({ refusal: 'invalid_grant' })
  })

  test('leaves no live token from codes that are redeemed at the same moment', async () => {
    const { client } = await allowedProgram()
    const { id } = await only()
    const codes = await Promise.all(Array.from({ length: 20 }, () => stage.approved(client)))
    const redeemed = codes.map((code, n) => stage.token(code, n % 2 === 0 ? stage.call : second.call))
    const ended = stage.call(operations.endClientGrant, { id }, by)
    const answers = await Promise.all(redeemed)
    expect(await ended).toEqual({})
    const given = answers.flatMap((answer) => (isRefusal(answer) ? [] : answer.access_token))
    for (const token of given) expect(await isGoodAt(token)).toEqual([false, false])
    expect(await grants()).toEqual([])
  })
})

describe('signing out everywhere', () => {
  test('ends sessions, says what remains, and ends programs on request', async () => {
    const { access_token } = await allowedProgram()
    await allowedProgram()
    granted(await stage.call(operations.createKey, { label: 'kept' }, { caller: stage.signedIn }))
    const outcome = (grants?: boolean) => stage.call(operations.endSessions, { grants }, by)
    expect(await outcome()).toEqual({
      ended: { sessions: 1, programs: 0 },
      stays: { programs: 2, agents: 0, apiKeys: 1 },
    })
    expect(await isGoodAt(access_token)).toEqual([true, true])
    expect(await outcome(true)).toEqual({
      ended: { sessions: 0, programs: 2 },
      stays: { programs: 0, agents: 0, apiKeys: 1 },
    })
    expect(await isGoodAt(access_token)).toEqual([false, false])
    await stage.signIn()
  })

  test('ends what another session of the owner grants to a program meanwhile', async () => {
    const client = await stage.register()
    const { db, close } = openDatabase<OauthTables>({
      ...{ url: stage.database.url, schema: 'oauth', maxConnections: 1 },
      onError: () => {},
    })
    const { ended, access_token } = await db.transaction().execute(async (tx) => {
      await holdSession(tx, session)
      const ended = stage.call(operations.endSessions, { grants: true }, by)
      await until('the sessions are about to end', async () => {
        const waiting = await stage.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.length > 0
      })
      return { ended, ...granted(await stage.token(await stage.approved(client))) }
    })
    await close()
    expect(granted(await ended).ended).toEqual({ sessions: 1, programs: 1 })
    expect(await isGoodAt(access_token)).toEqual([false, false])
    expect(
      await stage.decide(goodRequest(client.client_id), { verdict: 'approve', scopes: ['mcp:call'] }),
    ).toMatchObject({
      refusal: 'unauthorized',
    })
    await stage.signIn()
  })
})

describe('the consent', () => {
  test('says how long it lasts, and whether the owner has allowed this program before', async () => {
    const client = await stage.register({ grant_types: ['authorization_code', 'refresh_token'] })
    const ask = () => stage.ask(goodRequest(client.client_id))
    expect(await ask()).toMatchObject({
      request: { lifetimes: { accessTokenSeconds: 3_600, unusedDays: 30, mostDays: 180 }, allowedBefore: false },
    })
    granted(await stage.token(await stage.approved(client)))
    expect(await ask()).toMatchObject({ request: { allowedBefore: true } })
    const once = await stage.register({ grant_types: ['authorization_code'] })
    expect(await stage.ask(goodRequest(once.client_id))).toMatchObject({
      request: { lifetimes: { accessTokenSeconds: 3_600, unusedDays: null, mostDays: null } },
    })
  })

  test('says what is wrong, where that answer goes, and whether the owner has allowed a program there before', async () => {
    const { client_id } = await stage.register()
    const wrong = { ...goodRequest(client_id), response_type: 'token' }
    expect(await stage.ask(wrong)).toMatchObject({
      redirectTo: expect.stringContaining(`${SITE}?error=unsupported_response_type`),
      redirect: { host: 'client.example', to: 'site' },
      allowedBefore: false,
    })
  })
})

import { type Caller, oauth as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { owner, Stage, session } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage?.close())

const by = { caller: session as Caller }

beforeEach(async () => {
  for (const table of ['authorization_code', 'token_family', 'client'])
    await stage.database.query(`delete from oauth.${table}`)
  const client = await stage.register({ client_name: 'The newest' })
  granted(await stage.token(await stage.approved(client)))
})

/**
 * What someone with a session could have its owner grant within hours: to many programs with ids of maximum length, or
 * repeatedly to one of them, with each answer sent to another host.
 */
const grantMore = (to: 'many programs' | 'one of them', count: number) =>
  stage.database.query(
    `with one as (
       select family.*, client.metadata from oauth.token_family family join oauth.client on client.id = family.client_id limit 1),
     more as (
       select n, case when $2 then 'https://many.example/' || rpad(n || '-', 2000, 'x') else client_id end as id
       from one, generate_series(1, $1::int) n),
     clients as (
       insert into oauth.client (id, metadata, created_at, fetched_at)
       select more.id, metadata, created_at, created_at from one, more where $2),
     families as (
       insert into oauth.token_family (id, client_id, owner, scopes, audience, redirect_uri, created_at)
       select 'more-' || n, more.id, owner, scopes, audience, 'https://host-' || n || '.example/', created_at - interval '1 minute'
       from one, more)
     insert into oauth.access_token (token_hash, family_id, scopes, audience, expires_at)
     select 'more-' || n, 'more-' || n, scopes, audience, created_at + interval '1 hour' from one, more`,
    [count, to === 'many programs'],
  )

test('programs: an answer holds the newest and says how many more there are; all of them can be ended', async () => {
  await grantMore('many programs', 700)
  const { grants, more = 0 } = granted(await stage.call(operations.listClientGrants, {}, by))
  expect(grants[0]?.claimed.name).toBe('The newest')
  expect({ isCut: more > 0, all: grants.length + more }).toEqual({ isCut: true, all: 701 })
  granted(await stage.call(operations.endClientGrants, {}, by))
  expect(granted(await stage.call(operations.listClientGrants, {}, by))).toEqual({ grants: [] })
})

test('the times one program was allowed: the same; the list of programs shows its newest hosts', async () => {
  await grantMore('one of them', 6_000)
  const { grants } = granted(await stage.call(operations.listClientGrants, {}, by))
  expect(grants.map(({ redirectHosts }) => redirectHosts.length)).toEqual([20])
  const { grant, more = 0 } = granted(await stage.call(operations.readClientGrant, { id: grants[0]?.id ?? '' }, by))
  expect(grant.authorizations[0]?.redirectHost).toBe('client.example')
  expect({ isCut: more > 0, all: grant.authorizations.length + more }).toEqual({ isCut: true, all: 6_001 })
})

test('sessions: the same', async () => {
  await stage.database.query(
    `insert into oauth.session (token_hash, id, owner, created_at, last_seen_at, address, user_agent)
     select 'many-' || n, 'many-' || n, $1, $2::timestamptz - interval '1 minute', $2, '192.0.2.1', rpad('Agent ' || n, 256, '"')
     from generate_series(1, 3000) n`,
    [owner, new Date(stage.clock.now())],
  )
  const { sessions, more = 0 } = granted(await stage.call(operations.listSessions, {}, by))
  expect(sessions[0]).toMatchObject({ id: session.sessionId, current: true })
  expect({ isCut: more > 0, all: sessions.length + more }).toEqual({ isCut: true, all: 3_001 })
})

/** More than one statement of Postgres has places for parameters. */
const VERY_MANY = 70_000

test('a client that very many owners allowed can be deleted, and its tokens end', async () => {
  const client = await stage.register({ client_name: 'Popular' })
  const { access_token } = granted(await stage.token(await stage.approved(client)))
  await stage.database.query(
    `insert into oauth.token_family (id, client_id, owner, scopes, audience, created_at)
     select 'each-' || n, client_id, owner, scopes, audience, created_at
     from (select * from oauth.token_family where client_id = $1 limit 1) one, generate_series(1, ${VERY_MANY}) n`,
    [client.client_id],
  )
  const { client_id: clientId, registration_access_token } = client
  granted(await stage.call(operations.deleteClient, { clientId, registration_access_token }))
  expect(await stage.callerOf(access_token)).toBeUndefined()
  const open = 'select 1 from oauth.token_family where client_id = $1 and revoked_at is null'
  expect(await stage.database.query(open, [clientId])).toEqual([])
})

test('sessions: very many are counted, and all end at once', async () => {
  await stage.database.query(
    `insert into oauth.session (token_hash, id, owner, created_at, last_seen_at)
     select 'each-' || n, 'each-' || n, $1, $2, $2 from generate_series(1, ${VERY_MANY}) n`,
    [owner, new Date(stage.clock.now())],
  )
  const { sessions, more = 0 } = granted(await stage.call(operations.listSessions, {}, by))
  const { ended } = granted(await stage.call(operations.endSessions, { grants: true }, by))
  expect(ended.sessions).toBeGreaterThan(VERY_MANY)
  expect(sessions.length + more).toBe(ended.sessions)
  expect(await stage.database.query('select 1 from oauth.session where owner = $1', [owner])).toEqual([])
})

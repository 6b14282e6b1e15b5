import {
  agentClientId,
  DEVICE_CODE_GRANT,
  type InputOf,
  oauth as operations,
  type Scope,
  WITH_TOKENS,
} from '@callboard/contract'
import { seal } from '@callboard/sealing'
import { fakeClock, granted, type TestServices, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BASE_URL, owner, Stage } from './stage.ts'

const clientId = agentClientId(wallet(2).address)
const clock = fakeClock()
let stage: Stage

beforeAll(async () => {
  stage = await Stage.open({ clock })
})
afterAll(() => stage.close())

const call: TestServices['call'] = (op, input, meta) => stage.call(op, input, meta)

async function begun(scopes: Scope[] = ['mcp:call', 'router.use']) {
  return granted(await call(operations.createGrant, { clientId, scopes }))
}

describe('a user code', () => {
  test('is in no table, and is found in whatever form it is typed', async () => {
    const { grantId, userCode } = await begun()
    const code = userCode.replace('-', '')
    const rows = await stage.database.query('select device_grant::text as text from oauth.device_grant')
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${userCode}|${code}`, 'i'))
    for (const typed of [userCode, code.toLowerCase(), ` ${userCode} `]) {
      expect(await call(operations.findGrant, { userCode: typed })).toMatchObject({ grantId })
    }
    expect(await call(operations.findGrant, { userCode: 'BBBB-BBBB' })).toMatchObject({ refusal: 'not_found' })
  })

  test('of the previous release, which was stored as it is, is found until it expires', async () => {
    const { grantId } = await begun()
    const unhash = 'update oauth.device_grant set user_code = $2, user_code_hash = null where id = $1'
    await stage.database.query(unhash, [grantId, 'BCDFGHJK'])
    expect(await call(operations.findGrant, { userCode: 'bcdf-ghjk' })).toMatchObject({ grantId, state: 'pending' })
  })
})

test('a user code is looked up by an index, however many codes agents have asked for in a day', async () => {
  const { userCode, grantId } = await begun()
  await stage.database.query(`
    insert into oauth.device_grant (id, device_code_hash, user_code_hash, client_id, scopes, sealing_key, state, created_at,
                                    expires_at, interval_seconds)
    select 'grant-' || n, 'hash-' || n, 'code-' || n, 'agent', '{}', 'key', 'pending', now(), now(), 5
      from generate_series(1, 20000) n`)
  await stage.database.query('analyze oauth.device_grant')
  const { db } = stage.context
  const sent = vi.spyOn(db.getExecutor(), 'executeQuery')
  expect(await call(operations.findGrant, { userCode })).toMatchObject({ grantId })
  const [query] = sent.mock.calls.flatMap(([one]) => (one.sql.includes('user_code_hash') ? one : []))
  sent.mockRestore()
  const plan = await db.executeQuery(CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])]))
  expect(JSON.stringify(plan.rows)).not.toContain('Seq Scan')
  await stage.database.query(`delete from oauth.device_grant where client_id = 'agent'`)
})

type Asked = Partial<InputOf<typeof operations.token>>

const token = (more: Asked) => stage.token({ client_id: clientId, grant_type: DEVICE_CODE_GRANT, ...more })
const poll = (deviceCode: string, more: Asked = {}) => token({ device_code: deviceCode, ...more })
const refresh = (refreshToken: string | undefined, more: Asked = {}) =>
  token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more })

let links = 0
const newLink = () => {
  links += 1
  return `link-${links}`
}

const approve = (grantId: string, more: Partial<InputOf<typeof operations.approveGrant>> = {}) =>
  call(operations.approveGrant, {
    ...{
      grantId,
      owner,
      linkId: newLink(),
      scopes: ['mcp:call'],
      replaces: [],
      sealed: null,
      routerUnavailable: false,
    },
    ...more,
  })

async function linked(more: Partial<InputOf<typeof operations.approveGrant>> = {}) {
  const { grantId, deviceCode } = await begun()
  const linkId = newLink()
  expect(await approve(grantId, { linkId, ...more })).toEqual({})
  const tokens = granted(await poll(deviceCode))
  return { ...tokens, linkId, deviceCode, grantId }
}

const revoked = async (token: string, more: { client_id?: string } = {}) =>
  call(operations.revoke, {
    client_id: undefined,
    client_secret: undefined,
    token,
    token_type_hint: undefined,
    ...more,
  })

describe('polling', () => {
  test('authorization_pending first, slow_down when too early, tokens as soon as it is approved', async () => {
    const { grantId, deviceCode } = await begun()
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'authorization_pending' })
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'slow_down', details: { interval: 10 } })
    clock.advance(5_000)
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'slow_down', details: { interval: 15 } })
    clock.advance(15_000)
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'authorization_pending' })
    expect(await approve(grantId)).toEqual({})
    expect(await poll(deviceCode)).toMatchObject({ token_type: 'Bearer', scope: 'mcp:call', owner_wallet: owner })
  })

  test('access_denied when the owner refused; refusing twice is not an error, but approving then is', async () => {
    const { grantId, deviceCode } = await begun()
    expect(await call(operations.denyGrant, { grantId })).toEqual({})
    expect(await call(operations.denyGrant, { grantId })).toEqual({})
    expect(await approve(grantId)).toMatchObject({ refusal: 'already_decided' })
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'access_denied' })
  })

  test('expired_token once the time is over, whatever was decided, and for a day after that', async () => {
    const [undecided, approved] = [await begun(), await begun()]
    await approve(approved.grantId)
    clock.advance(1_200_000)
    for (const { deviceCode } of [undecided, approved]) {
      expect(await poll(deviceCode)).toMatchObject({ refusal: 'expired_token' })
    }
    expect(await approve(undecided.grantId)).toMatchObject({ refusal: 'already_decided' })
    clock.advance(12 * 3_600_000)
    expect(await poll(undecided.deviceCode)).toMatchObject({ refusal: 'expired_token' })
  })

  test('of parallel polls of an undecided code, one is accepted, and every other makes the client wait longer', async () => {
    const { deviceCode } = await begun()
    const answers = await Promise.all(Array.from({ length: 12 }, () => poll(deviceCode)))
    const refusals = answers.flatMap((answer) => (isRefusal(answer) ? [answer] : []))
    expect(refusals.filter(({ refusal }) => refusal === 'authorization_pending')).toHaveLength(1)
    const waits = refusals.flatMap(({ details }) => (details ? [details.interval] : []))
    expect(waits.toSorted()).toEqual([10, 15, 20, 25, ...Array(7).fill(30)])
  })

  test('a decision made during polling is the answer to the next poll', async () => {
    const { grantId, deviceCode } = await begun()
    const [, ...polls] = await Promise.all([approve(grantId), ...Array.from({ length: 12 }, () => poll(deviceCode))])
    const last = await poll(deviceCode)
    expect([...polls, last].filter((answer) => !isRefusal(answer))).toHaveLength(1)
  })

  test('of parallel polls of an approved code, exactly one gets tokens, and the others get invalid_grant', async () => {
    const { grantId, deviceCode } = await begun()
    await approve(grantId)
    const answers = await Promise.all(Array.from({ length: 12 }, () => poll(deviceCode)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    expect(answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(
      Array(11).fill('invalid_grant'),
    )
  })

  test.each([
    ['an unknown code', async () => poll('cb_device_unknown')],
    [
      'the code of another client',
      async () => poll((await begun()).deviceCode, { client_id: agentClientId(wallet(3).address) }),
    ],
    ['a redeemed code', async () => poll((await linked()).deviceCode)],
  ])('invalid_grant: %s', async (_what, ask) => {
    expect(await ask()).toMatchObject({ refusal: 'invalid_grant' })
  })

  test.each([
    ['invalid_request', {}],
    ['invalid_request', { client_id: undefined, device_code: 'x' }],
    ['invalid_client', { client_id: 'somebody', device_code: 'x' }],
    ['invalid_client', { client_secret: 'agents have none', device_code: 'x' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['invalid_target', { device_code: 'x', resource: 'https://elsewhere.example' }],
  ])('%s: %j', async (refusal, more) => {
    expect(await token(more)).toMatchObject({ refusal })
  })

  test('our own resource is accepted with every grant, as MCP clients send it', async () => {
    const { deviceCode } = await begun()
    expect(await poll(deviceCode, { resource: `${BASE_URL}/mcp` })).toMatchObject({ refusal: 'authorization_pending' })
  })
})

describe('the token answer', () => {
  test('carries what was sealed for the poller, which is not readable in the store', async () => {
    const { grantId, deviceCode } = await begun()
    const { sealingKey } = (await call(operations.findGrant, { grantId })) as { sealingKey: string }
    const key = { router_key: 'cb_router_secret', router_base_url: 'https://router.example/v1' }
    await approve(grantId, { sealed: await seal(sealingKey, WITH_TOKENS, JSON.stringify(key)) })
    const rows = await stage.database.query('select * from oauth.device_grant where id = $1', [grantId])
    expect(JSON.stringify(rows)).not.toContain('cb_router_secret')
    expect(await poll(deviceCode)).toMatchObject(key)
  })

  test('says router_unavailable when a key could not be made, and has no key', async () => {
    const tokens = await linked({ routerUnavailable: true })
    expect(tokens).toMatchObject({ router_key_error: 'router_unavailable' })
    expect(tokens).not.toHaveProperty('router_key')
  })

  test('has an access token of the agent, valid for an hour', async () => {
    const { access_token, linkId, expires_in } = await linked()
    expect(expires_in).toBe(3_600)
    expect(await stage.callerOf(access_token)).toEqual({ kind: 'agent', owner, clientId, linkId, scopes: ['mcp:call'] })
    clock.advance(3_600_000)
    expect(await stage.callerOf(access_token)).toBeUndefined()
  })

  test('has tokens that are stored only as SHA-256', async () => {
    const { access_token, refresh_token, deviceCode } = await linked()
    for (const table of ['access_token', 'refresh_token', 'device_grant']) {
      const rows = await stage.database.query(`select * from oauth.${table}`)
      for (const secret of [access_token, refresh_token, deviceCode]) expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })
})

describe('approveGrant', () => {
  test('is idempotent for the same link; for another link, the grant is already decided', async () => {
    const { grantId } = await begun()
    const linkId = newLink()
    expect(await approve(grantId, { linkId })).toEqual({})
    expect(await approve(grantId, { linkId })).toEqual({})
    expect(await approve(grantId)).toMatchObject({ refusal: 'already_decided' })
  })

  test('ends the links it replaces in the same step', async () => {
    const before = await linked()
    await linked({ replaces: [before.linkId] })
    expect(await stage.callerOf(before.access_token)).toBeUndefined()
    expect(await refresh(before.refresh_token)).toMatchObject({ refusal: 'invalid_grant' })
  })

  test('grants no scope that was not requested', async () => {
    const { grantId } = await begun(['mcp:call'])
    expect(await approve(grantId, { scopes: ['call.publish'] })).toMatchObject({ refusal: 'invalid_scope' })
  })
})

describe('refreshing', () => {
  test('every use gives a new pair, and the family continues', async () => {
    let { refresh_token } = await linked()
    for (let n = 0; n < 3; n += 1) {
      clock.advance(60_000)
      const next = granted(await refresh(refresh_token))
      expect(await stage.callerOf(next.access_token)).toMatchObject({ kind: 'agent' })
      refresh_token = next.refresh_token
    }
  })

  test('a lost answer is repeated within half a minute, and parallel uses all get the same pair', async () => {
    const { refresh_token } = await linked()
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(refresh_token)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    clock.advance(29_000)
    expect(await refresh(refresh_token)).toEqual(answers[0])
  })

  test.each([
    ['after that time', async (_next: string | undefined) => void clock.advance(31_000)],
    ['once its successor was used', async (next: string | undefined) => void (await refresh(next))],
  ])('a used token that is presented again %s ends the whole family', async (_when, meanwhile) => {
    const first = await linked()
    const second = granted(await refresh(first.refresh_token))
    await meanwhile(second.refresh_token)
    expect(await refresh(first.refresh_token)).toMatchObject({ refusal: 'invalid_grant' })
    expect(await refresh(second.refresh_token)).toMatchObject({ refusal: 'invalid_grant' })
    for (const { access_token } of [first, second]) expect(await stage.callerOf(access_token)).toBeUndefined()
  })

  test('a narrower scope applies only to the access token; a wider one is refused and rotates nothing', async () => {
    const { refresh_token } = await linked({ scopes: ['mcp:call', 'router.use'] })
    expect(await refresh(refresh_token, { scope: 'mcp:call call.publish' })).toMatchObject({ refusal: 'invalid_scope' })
    const narrow = granted(await refresh(refresh_token, { scope: 'mcp:call' }))
    expect(narrow).toMatchObject({ scope: 'mcp:call' })
    expect(await refresh(narrow.refresh_token)).toMatchObject({ scope: 'mcp:call router.use' })
  })

  test('ends after thirty days without use, and after half a year at the latest', async () => {
    let { refresh_token } = await linked()
    const { refresh_token: unused } = await linked()
    for (let day = 0; day < 150; day += 25) {
      clock.advance(25 * 86_400_000)
      const next = granted(await refresh(refresh_token))
      refresh_token = next.refresh_token
    }
    expect(await refresh(unused)).toMatchObject({ refusal: 'invalid_grant' })
    clock.advance(29 * 86_400_000)
    const last = granted(await refresh(refresh_token))
    clock.advance(2 * 86_400_000)
    expect(await refresh(last.refresh_token)).toMatchObject({ refusal: 'invalid_grant' })
  })
})

describe('revoking', () => {
  test.each(['access_token', 'refresh_token'] as const)('the %s ends its whole family', async (kind) => {
    const tokens = await linked()
    expect(await revoked(tokens[kind] ?? '')).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
    expect(await refresh(tokens.refresh_token)).toMatchObject({ refusal: 'invalid_grant' })
  })

  test('an unknown token, or as another client, changes nothing and is not an error', async () => {
    const tokens = await linked()
    expect(await revoked('cb_access_unknown')).toEqual({})
    expect(await revoked(tokens.access_token, { client_id: agentClientId(wallet(3).address) })).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeDefined()
  })

  test('a link ends all of its tokens, and may be repeated', async () => {
    const tokens = await linked()
    for (let n = 0; n < 2; n += 1) expect(await call(operations.revokeLink, { linkId: tokens.linkId })).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
  })

  test('a link between approval and the poll leaves nothing to redeem', async () => {
    const { grantId, deviceCode } = await begun()
    const linkId = newLink()
    await approve(grantId, { linkId })
    await call(operations.revokeLink, { linkId })
    expect(await poll(deviceCode)).toMatchObject({ refusal: 'invalid_grant' })
  })
})

test('lastUses: gives the last use to the minute, for links that were used, and the end of each', async () => {
  const endsAt = new Date(clock.now() + 180 * 86_400_000).toISOString()
  const [used, unused] = [await linked(), await linked()]
  await stage.callerOf(used.access_token)
  const at = new Date(clock.now()).toISOString()
  clock.advance(30_000)
  await stage.callerOf(used.access_token)
  expect(await call(operations.lastUses, { linkIds: [used.linkId, unused.linkId] })).toEqual({
    lastUsedAt: { [used.linkId]: at },
    endsAt: { [used.linkId]: endsAt, [unused.linkId]: endsAt },
  })
})

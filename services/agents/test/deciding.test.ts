import { agents, type Caller, DEFAULT_SCOPES, type InputOf, oauth as oauthOperations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeRouter, routerState } from './fake-router.ts'
import { eventsOf, newOwner, openStage, requesterAt, type Stage, signedIn } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const AGENT = 2
let addresses = 0
/** An address in a network from which no code has been guessed. */
const newAddress = () => {
  addresses += 1
  return `198.18.${addresses}.7`
}

const read = (userCode: string, caller: Caller, address = newAddress()) =>
  stage.call(agents.readLinkRequest, { userCode, requester: requesterAt(address) }, { caller })
const deny = (userCode: string, caller: Caller) =>
  stage.call(
    agents.decideLink,
    { userCode, requester: requesterAt(newAddress()), decision: { verdict: 'deny' } },
    { caller },
  )

describe('readLinkRequest', () => {
  test('keeps apart what is proven, claimed and observed', async () => {
    const asked = { label: 'scout', device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const { user_code } = await stage.ask(AGENT, asked)
    const now = new Date(stage.clock.now()).toISOString()
    const owner = newOwner()
    const shown = granted(await read(user_code.toLowerCase().replace('-', ''), owner))
    expect(shown).toMatchObject({
      proven: { wallet: wallet(AGENT).address },
      claimed: { label: 'scout', device: 'laptop' },
      seen: { requester: requesterAt('192.0.2.1'), askedAt: now },
      scopes: DEFAULT_SCOPES,
      suggestedAllowanceUsd: 2.5,
      asksForTrust: true,
      replaces: null,
      linked: 0,
    })
    expect(granted(await read(user_code, owner))).toEqual({ ...shown, userCode: user_code })
  })

  test('says which link an approval would end, and how many would remain', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, { label: 'first' })
    await stage.link(3, owner)
    const { user_code } = await stage.ask(AGENT, { label: 'again' })
    expect(await read(user_code, owner)).toMatchObject({ replaces: { label: 'first' }, linked: 1 })
    expect(await read(user_code, newOwner())).toMatchObject({ replaces: null, linked: 0 })
  })

  test('401 unauthorized: for every caller but a signed-in owner', async () => {
    const { user_code } = await stage.ask(AGENT)
    const { owner } = newOwner()
    for (const caller of [{ kind: 'anonymous' }, { kind: 'api_key', owner, keyId: 'key' }] as const) {
      expect(await read(user_code, caller)).toMatchObject({ refusal: 'unauthorized' })
      expect(await deny(user_code, caller)).toMatchObject({ refusal: 'unauthorized' })
    }
  })

  test.each([
    ['unknown', async () => 'BCDF-GHJK'],
    ['no code at all', async () => 'hello'],
    [
      'used',
      async (owner: Caller) => {
        const device = await stage.ask(AGENT)
        await stage.approve(device.user_code, owner)
        return device.user_code
      },
    ],
    [
      'expired',
      async () => {
        const { user_code } = await stage.ask(AGENT)
        stage.clock.advance(1_200_000)
        return user_code
      },
    ],
  ])('404 not_found: a code that is %s', async (_what, code) => {
    const owner = newOwner()
    const userCode = await code(owner)
    expect(await read(userCode, owner)).toEqual({ refusal: 'not_found' })
    expect(await deny(userCode, owner)).toEqual({ refusal: 'not_found' })
  })
})

describe('429 rate_limited', () => {
  test('after five wrong codes of an owner within ten minutes, even for right codes, until the time is over', async () => {
    const [owner, other] = [newOwner(), newOwner()]
    const { user_code } = await stage.ask(AGENT)
    for (let n = 0; n < 10; n += 1) expect(isRefusal(await read(user_code, owner))).toBe(false)
    for (let n = 0; n < 5; n += 1) expect(await read('BCDF-GHJK', owner)).toEqual({ refusal: 'not_found' })
    for (const code of ['BCDF-GHJK', user_code]) {
      const limited = await read(code, owner)
      expect(limited).toMatchObject({ refusal: 'rate_limited' })
      expect(isRefusal(limited) && limited.retryAfterSeconds).toBeGreaterThan(100)
      expect(await deny(code, owner)).toMatchObject({ refusal: 'rate_limited' })
    }
    expect(isRefusal(await read(user_code, other))).toBe(false)
    stage.clock.advance(120_000)
    expect(isRefusal(await read(user_code, owner))).toBe(false)
    expect(await read('BCDF-GHJK', owner)).toEqual({ refusal: 'not_found' })
    expect(await read('BCDF-GHJK', owner)).toMatchObject({ refusal: 'rate_limited' })
  })

  test('counts per address, whichever owner is signed in', async () => {
    const address = newAddress()
    const { user_code } = await stage.ask(AGENT)
    for (let n = 0; n < 5; n += 1)
      expect(await read('BCDF-GHJK', newOwner(), address)).toEqual({ refusal: 'not_found' })
    expect(await read(user_code, newOwner(), address)).toMatchObject({ refusal: 'rate_limited' })
    expect(isRefusal(await read(user_code, newOwner()))).toBe(false)
  })

  test('counts per network too, since neither owners nor addresses cost anything', async () => {
    const addressOf = (subscriber: number) => `2001:db8:77:${subscriber}::1`
    const answers: (string | undefined)[] = []
    for (let n = 0; n < 30; n += 1) {
      const answer = await read('BCDF-GHJK', newOwner(), addressOf(n))
      answers.push(isRefusal(answer) ? answer.refusal : undefined)
    }
    expect(answers).toEqual([...Array(20).fill('not_found'), ...Array(10).fill('rate_limited')])
    const { user_code } = await stage.ask(AGENT)
    expect(await read(user_code, newOwner(), addressOf(99))).toMatchObject({ refusal: 'rate_limited' })
    expect(isRefusal(await read(user_code, newOwner(), '2001:db8:78::1'))).toBe(false)
  })

  test('and once there were too many, no further code is looked up, which costs milliseconds of a core', async () => {
    const owner = newOwner()
    const lookUps = async () => {
      const { registry } = stage.services.metrics
      const text = await registry.getSingleMetricAsString('callboard_operation_duration_seconds')
      const counts = text.matchAll(/_count\{.*operation="oauth\.findGrant".*\} (\d+)/g)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (let n = 0; n < 5; n += 1) expect(await read('BCDF-GHJK', owner)).toEqual({ refusal: 'not_found' })
    const before = await lookUps()
    expect(before).toBeGreaterThan(0)
    for (let n = 0; n < 20; n += 1) expect(await read('BCDF-GHJK', owner)).toMatchObject({ refusal: 'rate_limited' })
    expect(await lookUps()).toBe(before)
  })

  test('of many wrong codes at once, five are answered', async () => {
    const owner = newOwner()
    const answers = await Promise.all(Array.from({ length: 30 }, () => read('BCDF-GHJK', owner)))
    expect(answers.filter((answer) => isRefusal(answer) && answer.refusal === 'not_found')).toHaveLength(5)
  })
})

describe('decideLink', () => {
  test('deny: the poller gets access_denied, and nothing was granted', async () => {
    const owner = newOwner()
    const device = await stage.ask(AGENT)
    expect(await deny(device.user_code, owner)).toMatchObject({ request: { linked: 0 }, routerUnavailable: false })
    expect(await stage.poll(device)).toMatchObject({ refusal: 'access_denied' })
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toEqual([])
  })

  test('approve: the poller gets tokens of the owner for the scopes left ticked', async () => {
    const owner = newOwner()
    const { tokens, caller } = await stage.link(
      AGENT,
      owner,
      { scope: 'mcp:call call.publish' },
      { scopes: ['mcp:call'] },
    )
    expect(tokens).toMatchObject({ owner_wallet: owner.owner, scope: 'mcp:call' })
    expect(caller).toMatchObject({ owner: owner.owner, scopes: ['mcp:call'] })
    expect(await eventsOf(stage, caller.linkId)).toEqual([{ name: 'agent.linked.v1' }])
  })

  test('invalid_scope: a scope that was not requested, and the request stays pending', async () => {
    const device = await stage.ask(AGENT, { scope: 'mcp:call' })
    const owner = newOwner()
    expect(await stage.approve(device.user_code, owner, { scopes: ['call.publish'] })).toMatchObject({
      refusal: 'invalid_scope',
    })
    expect(await stage.poll(device)).toMatchObject({ refusal: 'authorization_pending' })
  })

  test('of parallel decisions on one request, exactly one counts', async () => {
    const device = await stage.ask(AGENT)
    const owners = Array.from({ length: 6 }, newOwner)
    // From networks of their own: those who find the request decided have sent a wrong code.
    const decision: InputOf<typeof agents.decideLink>['decision'] = {
      ...{ verdict: 'approve', scopes: ['mcp:call'], routerAllowanceUsd: 0, trustDevice: false },
    }
    const answers = await Promise.all(
      owners.map((caller) =>
        stage.call(
          agents.decideLink,
          { userCode: device.user_code, requester: requesterAt(newAddress()), decision },
          { caller },
        ),
      ),
    )
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    for (const answer of answers) {
      if (isRefusal(answer)) expect(['already_decided', 'not_found']).toContain(answer.refusal)
    }
    const lists = await Promise.all(owners.map((caller) => stage.call(agents.list, {}, { caller })))
    expect(lists.flatMap((list) => granted(list).agents)).toHaveLength(1)
  })

  test('trust can be ticked only if it was requested', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, { device: 'laptop' }, { trustDevice: true })
    expect(granted(await stage.call(agents.listDevices, {}, { caller: owner })).devices).toEqual([
      { device: 'laptop', agents: 1, trust: null, automatic: 0 },
    ])
  })

  test('the agent’s wallet may be the owner’s own', async () => {
    const own = signedIn(wallet(AGENT).address)
    const { caller } = await stage.link(AGENT, own)
    expect(await stage.call(agents.self, {}, { caller })).toMatchObject({ owner: own.owner, wallet: own.owner })
  })

  test('two owners may link one wallet: each has its own link, and ends only that one', async () => {
    const [one, two] = [newOwner(), newOwner()]
    const first = await stage.link(AGENT, one)
    const second = await stage.link(AGENT, two)
    expect(second.caller.clientId).toBe(first.caller.clientId)
    await stage.call(agents.unlink, { clientId: first.caller.clientId }, { caller: one })
    expect(await stage.callerOf(first.tokens.access_token)).toBeUndefined()
    expect(await stage.callerOf(second.tokens.access_token)).toMatchObject({ owner: two.owner })
  })

  test('link_limit: of 25 parallel approvals by one owner, exactly 20 link, and the refused requests stay pending', async () => {
    const owner = newOwner()
    const devices = await Promise.all(Array.from({ length: 25 }, (_, n) => stage.ask(30 + n)))
    const answers = await Promise.all(devices.map(({ user_code }) => stage.approve(user_code, owner)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(20)
    expect(answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(Array(5).fill('link_limit'))
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toHaveLength(20)
    const polls = await Promise.all(devices.map((device) => stage.poll(device)))
    expect(polls.filter((answer) => !isRefusal(answer))).toHaveLength(20)
    expect(polls.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(
      Array(5).fill('authorization_pending'),
    )
    const linked = polls.findIndex((answer) => !isRefusal(answer))
    await stage.link(30 + linked, owner, { label: 'again' })
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toHaveLength(20)
  })
})

describe('403 fresh_signature_required: when the wallet signed more than a quarter of an hour ago', () => {
  const QUARTER_MS = 15 * 60_000
  const signedAgo = (agoMs: number) => ({ ...newOwner(), signedInAt: isoTime(stage.clock.now() - agoMs) })
  const unknown = () => {
    const { signedInAt: _, ...caller } = newOwner()
    return caller
  }
  const asked = { scope: 'mcp:call router.use call.publish', device: 'laptop', trust_device: true }
  const HEAVY = [
    ['call.publish', { scopes: ['mcp:call', 'call.publish'] }],
    ['trust of the device', { trustDevice: true }],
    ['use of the Router, whatever its daily limit', { scopes: ['router.use'], routerAllowanceUsd: 0 }],
  ] as [string, Parameters<Stage['approve']>[2]][]

  test.each(HEAVY)('%s; the request stays pending, and is approved after signing again', async (_what, approval) => {
    const device = await stage.ask(AGENT, asked)
    for (const owner of [signedAgo(QUARTER_MS + 1), unknown()]) {
      expect(await stage.approve(device.user_code, owner, approval)).toMatchObject({
        refusal: 'fresh_signature_required',
      })
    }
    expect(await stage.poll(device)).toMatchObject({ refusal: 'authorization_pending' })
    expect(isRefusal(await stage.approve(device.user_code, signedAgo(QUARTER_MS), approval))).toBe(false)
    expect(isRefusal(await stage.poll(device))).toBe(false)
  })

  test.each([
    ['a limit without the Router', asked, { scopes: ['mcp:call'], routerAllowanceUsd: 1_000 }],
    ['trust that the agent did not ask for', { device: 'laptop' }, { trustDevice: true }],
  ] as [string, Parameters<Stage['ask']>[1], Parameters<Stage['approve']>[2]][])(
    'not for %s',
    async (_what, request, approval) => {
      const { user_code } = await stage.ask(AGENT, request)
      expect(isRefusal(await stage.approve(user_code, unknown(), approval))).toBe(false)
    },
  )

  test('not for a denial', async () => {
    const { user_code } = await stage.ask(AGENT, asked)
    expect(isRefusal(await deny(user_code, unknown()))).toBe(false)
  })
})

describe('relinking', () => {
  test('ends the previous link and its tokens with the new one', async () => {
    const owner = newOwner()
    const before = await stage.link(AGENT, owner, { label: 'before' })
    const after = await stage.link(AGENT, owner, { label: 'after' })
    expect(await stage.callerOf(before.tokens.access_token)).toBeUndefined()
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toMatchObject([{ label: 'after' }])
    expect(await eventsOf(stage, before.caller.linkId)).toEqual([
      { name: 'agent.linked.v1' },
      { name: 'agent.revoked.v1', by: 'relink' },
    ])
    expect(await eventsOf(stage, after.caller.linkId)).toEqual([{ name: 'agent.linked.v1' }])
  })

  test('of parallel approvals of one wallet, one link remains, and no token of the others', async () => {
    const owner = newOwner()
    const devices = await Promise.all(Array.from({ length: 6 }, () => stage.ask(AGENT)))
    for (const answer of await Promise.all(devices.map(({ user_code }) => stage.approve(user_code, owner)))) {
      expect(isRefusal(answer)).toBe(false)
    }
    const polls = await Promise.all(devices.map((device) => stage.poll(device)))
    const callers = await Promise.all(
      polls.map((answer) => (isRefusal(answer) ? undefined : stage.callerOf(answer.access_token))),
    )
    expect(callers.filter(Boolean)).toHaveLength(1)
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toHaveLength(1)
  })
})

describe('the Router key of an approval', () => {
  const withRouter = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 7.5 }

  test('is absent without a Router, and the link says so', async () => {
    const { tokens, routerUnavailable } = await stage.link(AGENT, newOwner(), {}, withRouter)
    expect(routerUnavailable).toBe(true)
    expect(tokens).toMatchObject({ router_key_error: 'router_unavailable' })
    expect(tokens).not.toHaveProperty('router_key')
  })

  test('is not mentioned without the scope', async () => {
    const { tokens, routerUnavailable } = await stage.link(AGENT, newOwner())
    expect(routerUnavailable).toBe(false)
    expect(tokens).not.toHaveProperty('router_key_error')
  })

  test('comes with the tokens, has the allowance that the owner chose, and is in no table', async () => {
    const router = routerState()
    const routed = await openStage({ modules: [fakeRouter(router)] })
    const owner = newOwner()
    const device = await routed.ask(AGENT, { router_allowance_usd: 1 })
    granted(await routed.approve(device.user_code, owner, withRouter))
    const [[linkId, keys]] = [...router.keys] as [[string, string[]]]
    expect(router.allowances.get(linkId)).toBe(7.5)
    const tokens = granted(await routed.poll(device))
    expect(tokens).toMatchObject({ router_key: keys[0], router_base_url: 'https://router.example/v1' })
    const secrets = [device.device_code, tokens.access_token, tokens.refresh_token, tokens.router_key]
    const tables = await routed.database.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema in ('agents', 'oauth') and table_type = 'BASE TABLE'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const text = JSON.stringify(await routed.rows(name))
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
    await routed.close()
  })

  test('ends, and frees its place, when its request is denied while it is being made', async () => {
    const router = routerState()
    const owner = newOwner()
    let denied: () => Promise<unknown> = async () => undefined
    const denying = fakeRouter(router)
    const { mintKey } = denying.serves
    const routed = await openStage({
      modules: [
        {
          ...denying,
          serves: {
            ...denying.serves,
            mintKey: async (input, ctx) => {
              await denied()
              return mintKey?.(input, ctx)
            },
          },
        },
      ],
    })
    const device = await routed.ask(AGENT)
    const { grantId } = granted(await routed.call(oauthOperations.findGrant, { userCode: device.user_code }))
    denied = () => routed.call(oauthOperations.denyGrant, { grantId })
    expect(await routed.approve(device.user_code, owner, withRouter)).toMatchObject({ refusal: 'already_decided' })
    expect(router.minted).toBe(1)
    expect(router.keys.size).toBe(0)
    expect(await routed.rows('agents.link')).toEqual([])
    await routed.close()
  })
})

test('401 unauthorized: a session that ends after its request is admitted links nothing; the next one may decide', async () => {
  const owner = newOwner()
  const device = await stage.ask(AGENT)
  granted(await read(device.user_code, owner))
  expect(await stage.call(oauthOperations.deleteSession, {}, { caller: owner })).toEqual({})
  expect(await stage.approve(device.user_code, owner)).toMatchObject({ refusal: 'unauthorized' })
  expect(await stage.database.query('select 1 from agents.link where owner = $1', [owner.owner])).toEqual([])
  expect(await stage.poll(device)).toMatchObject({ refusal: 'authorization_pending' })
  granted(await stage.approve(device.user_code, { ...owner, sessionId: `the next of ${owner.owner}` }))
})

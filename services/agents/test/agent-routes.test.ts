import { BusFault } from '@callboard/bus'
import { agents, type Caller } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeRouter, routerState } from './fake-router.ts'
import { BASE_URL, eventsOf, newOwner, openStage, type Stage } from './stage.ts'

const router = routerState()
let stage: Stage
let routerless: Stage
beforeAll(async () => {
  stage = await openStage({ modules: [fakeRouter(router)] })
  routerless = await openStage()
})
afterAll(async () => {
  await stage.close()
  await routerless.close()
})
beforeEach(() => {
  router.unavailable = false
})

const AGENT = 2
const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 7.5 }
const UNAVAILABLE = { refusal: 'temporarily_unavailable', retryAfterSeconds: 5 }
const NEVER_THERE = {
  refusal: 'temporarily_unavailable',
  retryAfterSeconds: 60,
  message: expect.stringContaining('runs no Router'),
}
const { self, unlinkSelf, siblings, selfRouter, selfStake, createRouterKey, createBalanceKey } = agents

describe('self', () => {
  test('says who the agent is, and for whom it acts', async () => {
    const owner = newOwner()
    const linkedAt = new Date(stage.clock.now()).toISOString()
    const { caller } = await stage.link(AGENT, owner, { label: 'scout' }, terms)
    expect(await stage.call(self, {}, { caller })).toEqual({
      clientId: caller.clientId,
      wallet: wallet(AGENT).address,
      owner: owner.owner,
      label: 'scout',
      scopes: terms.scopes,
      linkedAt,
    })
  })

  test('401 unauthorized: a link that has ended or never existed, and every other caller, on all of its routes', async () => {
    const owner = newOwner()
    const { caller: ended } = await stage.link(AGENT, owner, {}, terms)
    await stage.call(agents.unlink, { clientId: ended.clientId }, { caller: owner })
    const minted = router.minted
    const callers: Caller[] = [
      ended,
      { ...ended, linkId: 'nobody’s' },
      owner,
      { kind: 'api_key', owner: owner.owner, keyId: 'key' },
      { kind: 'anonymous' },
    ]
    for (const caller of callers) {
      for (const route of [self, siblings, selfRouter, selfStake, createRouterKey, createBalanceKey]) {
        expect(await stage.call(route, {}, { caller })).toEqual({ refusal: 'unauthorized' })
      }
    }
    expect(router.minted).toBe(minted)
  })
})

describe('unlinkSelf', () => {
  test('ends the link, its tokens and Router keys, and no other', async () => {
    const owner = newOwner()
    const { caller, tokens } = await stage.link(AGENT, owner, {}, terms)
    const sibling = await stage.link(3, owner)
    expect(await stage.call(unlinkSelf, {}, { caller })).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
    expect(await stage.callerOf(sibling.tokens.access_token)).toBeDefined()
    expect(router.keys.has(caller.linkId)).toBe(false)
    expect(await eventsOf(stage, caller.linkId)).toContainEqual({ name: 'agent.revoked.v1', by: 'agent' })
    expect(await stage.call(unlinkSelf, {}, { caller })).toEqual({ refusal: 'unauthorized' })
  })

  test('503 while the Router is unavailable, though the tokens are void', async () => {
    const { caller, tokens } = await stage.link(AGENT, newOwner(), {}, terms)
    router.unavailable = true
    expect(await stage.call(unlinkSelf, {}, { caller })).toMatchObject(UNAVAILABLE)
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
  })

  test('403 not_an_agent: API keys, other OAuth clients, sessions', async () => {
    const { owner } = newOwner()
    const callers: Caller[] = [
      { kind: 'api_key', owner, keyId: 'key' },
      { kind: 'client', owner, clientId: 'somebody', familyId: 'family', scopes: ['mcp:call'], audience: BASE_URL },
      newOwner(),
      { kind: 'anonymous' },
    ]
    for (const caller of callers) {
      expect(await stage.call(unlinkSelf, {}, { caller })).toEqual({ refusal: 'not_an_agent' })
    }
  })
})

describe('siblings', () => {
  test('lists the owner’s agents, one per wallet, with the caller marked and the revoked for thirty days', async () => {
    const owner = newOwner()
    await stage.link(AGENT, newOwner())
    const gone = await stage.link(3, owner, { label: 'gone' })
    await stage.link(4, owner, { label: 'before' })
    const again = await stage.link(4, owner, { label: 'again', device: 'laptop' }, terms)
    await stage.call(agents.unlink, { clientId: gone.caller.clientId }, { caller: owner })
    const { caller } = await stage.link(AGENT, owner, { label: 'me' })
    const me = { label: 'me', status: 'active', self: true, allowanceUsd: null }
    const shown = async () =>
      [...granted(await stage.call(siblings, {}, { caller })).siblings].sort((a, b) => (a.label < b.label ? -1 : 1))
    expect(await shown()).toMatchObject([
      {
        ...{ clientId: again.caller.clientId, wallet: wallet(4).address, label: 'again', device: 'laptop' },
        ...{ status: 'active', allowanceUsd: '7.5', self: false },
      },
      { label: 'gone', status: 'revoked', device: null, self: false },
      me,
    ])
    stage.clock.advance(30 * 86_400_000)
    expect(await shown()).toMatchObject([{ label: 'again' }, me])
  })

  test('lists the newest when more have ended than an answer holds, and how many more there are', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, { label: 'me' })
    await stage.database.query(
      `insert into agents.link
       select ended.* from agents.link link, generate_series(1, 4000) n, jsonb_populate_record(link, jsonb_build_object(
         'id', 'ended-' || n, 'grant_id', 'ended-' || n, 'client_id', 'agent_0x' || lpad(n::text, 40, '0'),
         'wallet', '0x' || lpad(n::text, 40, '0'), 'label', rpad('', 64, 'x'), 'state', 'over', 'ended_by', 'owner',
         'linked_at', link.linked_at - interval '1 day' + n * interval '1 second', 'ended_at', link.linked_at)) ended
       where link.id = $1`,
      [caller.linkId],
    )
    const { siblings: shown, more = 0 } = granted(await stage.call(siblings, {}, { caller }))
    expect(shown.at(-1)).toMatchObject({ label: 'me', status: 'active' })
    expect(shown.at(-2)?.wallet).toBe(`0x${'4000'.padStart(40, '0')}`)
    expect({ isCut: more > 0, all: shown.length + more }).toEqual({ isCut: true, all: 4_001 })
  })
})

describe('the Router', () => {
  test('selfRouter: returns what the Router says', async () => {
    const { caller } = await stage.link(AGENT, newOwner(), {}, terms)
    expect(await stage.call(selfRouter, {}, { caller })).toMatchObject({
      compute: { allowanceUsd: '7.5' },
      balance: null,
    })
  })

  test('selfStake: says what the owner staked, what it is worth to the Router, and where to change it', async () => {
    const { caller } = await stage.link(AGENT, newOwner())
    router.stakes.set(caller.owner, '2500000000000000000')
    const view = { owner: caller.owner, epoch: 20_413, stake: '2500000000000000000', computeTodayUsd: '1.25' }
    expect(await stage.call(selfStake, {}, { caller })).toEqual({ ...view, stakeUrl: `${BASE_URL}/stake` })
    const STAKE_URL = 'https://stake.example/owner'
    const elsewhere = await openStage({ modules: [fakeRouter(router)], env: { STAKE_URL }, database: stage.database })
    expect(await elsewhere.call(selfStake, {}, { caller })).toEqual({ ...view, stakeUrl: STAKE_URL })
    await elsewhere.close()
  })

  test('createRouterKey: makes a new key on the same allowance and ends the older one, but not one on the balance', async () => {
    const { caller, tokens } = await stage.link(AGENT, newOwner(), {}, terms)
    const balance = granted(await stage.call(createBalanceKey, {}, { caller }))
    const stake = granted(await stage.call(createRouterKey, {}, { caller }))
    expect(stake).toEqual({ router_key: expect.any(String), router_base_url: 'https://router.example/v1' })
    expect(router.keys.get(caller.linkId)).toEqual([balance.router_key, stake.router_key])
    expect(router.keys.get(caller.linkId)).not.toContain(tokens.router_key)
    expect(router.allowances.get(caller.linkId)).toBe(7.5)
    expect(JSON.stringify(await stage.rows('agents.link'))).not.toContain(stake.router_key)
  })

  test('503 temporarily_unavailable while it is unavailable or was never there', async () => {
    const { caller } = await stage.link(AGENT, newOwner(), {}, terms)
    const { caller: lonely } = await routerless.link(AGENT, newOwner(), {}, terms)
    router.unavailable = true
    for (const route of [selfRouter, selfStake, createRouterKey, createBalanceKey]) {
      expect(await stage.call(route, {}, { caller })).toMatchObject(UNAVAILABLE)
      expect(await routerless.call(route, {}, { caller: lonely })).toMatchObject(NEVER_THERE)
    }
  })

  test('a key that was certainly not made does not make the end of the link depend on the Router', async () => {
    const owner = newOwner()
    const { caller } = await routerless.link(AGENT, owner, {}, terms)
    await Promise.all([createRouterKey, createBalanceKey].map((route) => routerless.call(route, {}, { caller })))
    expect(await routerless.call(agents.unlink, { clientId: caller.clientId }, { caller: owner })).toEqual({})
  })

  test('a key made after a link came without one ends with the link', async () => {
    const owner = newOwner()
    router.unavailable = true
    const { caller, routerUnavailable } = await stage.link(AGENT, owner, {}, terms)
    expect(routerUnavailable).toBe(true)
    router.unavailable = false
    granted(await stage.call(createRouterKey, {}, { caller }))
    expect(router.keys.get(caller.linkId)).toHaveLength(1)
    await stage.call(agents.unlink, { clientId: caller.clientId }, { caller: owner })
    expect(router.keys.has(caller.linkId)).toBe(false)
  })

  test('that a key may exist is on record when it is made, though another request just took that back', async () => {
    const overloaded = () =>
      Promise.reject(new BusFault('overloaded', 'router', 'the Router of the test is at its limit'))
    router.onceMinted = overloaded
    const { caller } = await stage.link(AGENT, newOwner(), {}, terms)
    const noted = async () => {
      const rows = 'select may_have_key as noted from agents.link where id = $1'
      const [link] = await stage.database.query<{ noted: boolean }>(rows, [caller.linkId])
      return link?.noted
    }
    expect(await noted()).toBe(false)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    let later: ReturnType<typeof stage.call> | undefined
    let notedBefore: boolean | undefined
    router.onceMinted = async () => {
      router.onceMinted = async () => {
        router.onceMinted = undefined
        notedBefore = await noted()
      }
      later = stage.call(createBalanceKey, {}, { caller })
      await until('the later request waits', async () => (await stage.database.query(waiting)).length > 0)
      return overloaded()
    }
    expect(await stage.call(createRouterKey, {}, { caller })).toMatchObject(UNAVAILABLE)
    expect(await later).toMatchObject({ router_key: expect.any(String) })
    expect(notedBefore).toBe(true)
  })

  test('no key outlives a link that ends while the key is being made', async () => {
    const owner = newOwner()
    for (let n = 0; n < 5; n += 1) {
      const { caller } = await stage.link(AGENT, owner, {}, terms)
      await Promise.all([
        stage.call(createRouterKey, {}, { caller }),
        stage.call(agents.unlink, { clientId: caller.clientId }, { caller: owner }),
        stage.call(createBalanceKey, {}, { caller }),
      ])
      expect(router.keys.has(caller.linkId)).toBe(false)
    }
  })
})

import { agents, type Caller, oauth } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, isRefusal, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeRouter, routerState } from './fake-router.ts'
import { eventsOf, newOwner, openStage, type Stage } from './stage.ts'

const router = routerState()
let stage: Stage
/** The same services without a Router. */
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
const UNKNOWN = `agent_0x${'ab'.repeat(20)}`
const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 7.5 }
const UNAVAILABLE = { refusal: 'temporarily_unavailable', retryAfterSeconds: 5 }

const agentsOf = async (on: Stage, caller: Caller) => granted(await on.call(agents.list, {}, { caller })).agents
const edit = (on: Stage, caller: Caller, clientId: string, routerAllowanceUsd: number) =>
  on.call(agents.edit, { clientId, routerAllowanceUsd }, { caller })
const unlink = (on: Stage, caller: Caller, clientId: string) => on.call(agents.unlink, { clientId }, { caller })
const stateOf = async (on: Stage, id: string) =>
  (await on.database.query<{ state: string }>('select state from agents.link where id = $1', [id]))[0]?.state

describe('list', () => {
  test('returns the owner’s live agents, when each was last used and ends, and what it may spend and has spent', async () => {
    const owner = newOwner()
    const linkedAt = new Date(stage.clock.now()).toISOString()
    const endsAt = new Date(stage.clock.now() + 180 * DAY_MS).toISOString()
    const { tokens } = await stage.link(AGENT, owner, { label: 'scout', device: 'laptop' }, terms)
    await stage.link(3, owner, { label: 'plain' })
    await stage.callerOf(tokens.access_token)
    expect(await agentsOf(stage, owner)).toEqual([
      {
        clientId: `agent_${wallet(AGENT).address.toLowerCase()}`,
        wallet: wallet(AGENT).address,
        label: 'scout',
        device: 'laptop',
        scopes: terms.scopes,
        linkedAt,
        ...{ lastUsedAt: linkedAt, endsAt },
        router: { allowanceUsd: '7.5', spentTodayUsd: '0.25' },
        approval: { by: 'owner', parent: null, seen: true },
        descendants: 0,
      },
      expect.objectContaining({ label: 'plain', device: null, router: null }),
    ])
    expect(await agentsOf(stage, newOwner())).toEqual([])
  })

  test('router is null while the Router is unavailable, except for an agent that has no key', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, {}, terms)
    router.unavailable = true
    expect(await agentsOf(stage, owner)).toMatchObject([{ router: null }])
    await routerless.link(AGENT, owner, {}, terms)
    expect(await agentsOf(routerless, owner)).toMatchObject([{ router: { allowanceUsd: '7.5', spentTodayUsd: '0' } }])
  })

  test('lastUsedAt is null for an agent that never called', async () => {
    const owner = newOwner()
    const { user_code } = await stage.ask(AGENT)
    await stage.approve(user_code, owner)
    expect(await agentsOf(stage, owner)).toMatchObject([{ lastUsedAt: null }])
  })
})

describe('edit', () => {
  test('sets the allowance here and at the Router', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    expect(await edit(stage, owner, caller.clientId, 12.34)).toMatchObject({
      agent: { clientId: caller.clientId, router: { allowanceUsd: '12.34', spentTodayUsd: '0.25' } },
    })
    expect(router.allowances.get(caller.linkId)).toBe(12.34)
    expect(await agentsOf(stage, owner)).toMatchObject([{ router: { allowanceUsd: '12.34' } }])
  })

  test('503 temporarily_unavailable while the Router is unavailable, and nothing is stored', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    router.unavailable = true
    expect(await edit(stage, owner, caller.clientId, 100)).toMatchObject(UNAVAILABLE)
    router.unavailable = false
    expect(await agentsOf(stage, owner)).toMatchObject([{ router: { allowanceUsd: '7.5' } }])
  })

  test('needs no Router when the agent has no key', async () => {
    const owner = newOwner()
    const { caller } = await routerless.link(AGENT, owner, {}, terms)
    expect(await edit(routerless, owner, caller.clientId, 0)).toMatchObject({
      agent: { router: { allowanceUsd: '0' } },
    })
  })

  test('of parallel edits, the stored allowance is the one that the Router has', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    await Promise.all([1, 2, 3, 4, 5].map((usd) => edit(stage, owner, caller.clientId, usd)))
    const [agent] = await agentsOf(stage, owner)
    expect(agent?.router?.allowanceUsd).toBe(String(router.allowances.get(caller.linkId)))
  })

  test('403 fresh_signature_required: above 20 USD a day in sum, when the wallet signed too long ago', async () => {
    const owner = newOwner()
    const stale = { ...owner, signedInAt: isoTime(stage.clock.now() - 16 * MINUTE_MS) }
    const [one, two] = [await stage.link(AGENT, owner, {}, terms), await stage.link(3, owner, {}, terms)]
    const [first, other] = [one.caller.clientId, two.caller.clientId]
    expect(await edit(stage, stale, first, 12.51)).toMatchObject({ refusal: 'fresh_signature_required' })
    expect(await edit(stage, stale, first, 1_000)).toMatchObject({ refusal: 'fresh_signature_required' })
    expect(router.allowances.get(one.caller.linkId)).toBe(7.5)
    expect(await edit(stage, stale, first, 12.5)).toMatchObject({ agent: { router: { allowanceUsd: '12.5' } } })
    granted(await edit(stage, owner, other, 100))
    expect(await edit(stage, stale, other, 99)).toMatchObject({ agent: { router: { allowanceUsd: '99' } } })
    expect(await edit(stage, stale, first, 12.51)).toMatchObject({ refusal: 'fresh_signature_required' })
  })

  test('of concurrent raises without a fresh signature, none takes the sum above 20 USD', async () => {
    const owner = newOwner()
    const stale = { ...owner, signedInAt: isoTime(stage.clock.now() - 16 * MINUTE_MS) }
    const linked = await Promise.all(
      [30, 31, 32, 33].map((agent) => stage.link(agent, owner, {}, { ...terms, routerAllowanceUsd: 0 })),
    )
    const answers = await Promise.all(linked.map(({ caller }) => edit(stage, stale, caller.clientId, 8)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(2)
  })

  test('404 not_found: an unknown client id, another owner’s, and an unlinked one', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner)
    expect(await edit(stage, owner, UNKNOWN, 1)).toMatchObject({ refusal: 'not_found' })
    expect(await edit(stage, newOwner(), caller.clientId, 1)).toMatchObject({ refusal: 'not_found' })
    await unlink(stage, owner, caller.clientId)
    expect(await edit(stage, owner, caller.clientId, 1)).toMatchObject({ refusal: 'not_found' })
  })
})

describe('unlink', () => {
  test('ends the tokens and Router keys, and may be repeated', async () => {
    const owner = newOwner()
    const { caller, tokens } = await stage.link(AGENT, owner, {}, terms)
    expect(router.keys.get(caller.linkId)).toHaveLength(1)
    for (let n = 0; n < 2; n += 1) expect(await unlink(stage, owner, caller.clientId)).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
    expect(router.keys.has(caller.linkId)).toBe(false)
    expect(await agentsOf(stage, owner)).toEqual([])
    expect(await eventsOf(stage, caller.linkId)).toEqual([
      { name: 'agent.linked.v1' },
      { name: 'agent.revoked.v1', by: 'owner' },
    ])
  })

  test('an unknown client id, or another owner’s agent, changes nothing and is not an error', async () => {
    const { caller, tokens } = await stage.link(AGENT, newOwner())
    expect(await unlink(stage, newOwner(), UNKNOWN)).toEqual({})
    expect(await unlink(stage, newOwner(), caller.clientId)).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeDefined()
  })

  test('404 not_found: an id that is not an agent’s, such as another program’s', async () => {
    for (const clientId of ['client_01234567', 'https://client.example/id', `agent_0x${'AB'.repeat(20)}`, 'agent_']) {
      expect(await unlink(stage, newOwner(), clientId)).toMatchObject({ refusal: 'not_found' })
    }
  })

  test('needs no Router when the agent has no key', async () => {
    const owner = newOwner()
    const { caller, tokens } = await routerless.link(AGENT, owner, {}, terms)
    expect(await unlink(routerless, owner, caller.clientId)).toEqual({})
    expect(await routerless.callerOf(tokens.access_token)).toBeUndefined()
  })

  test('503 while the Router is unavailable: the tokens are void, and a job or a repeat ends the keys', async () => {
    const owner = newOwner()
    const [one, two] = [await stage.link(AGENT, owner, {}, terms), await stage.link(3, owner, {}, terms)]
    router.unavailable = true
    for (const { caller, tokens } of [one, two]) {
      expect(await unlink(stage, owner, caller.clientId)).toMatchObject(UNAVAILABLE)
      expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
      expect(await stateOf(stage, caller.linkId)).toBe('ending')
    }
    expect(granted(await stage.call(agents.list, {}, { caller: owner }))).toEqual({
      agents: [],
      ending: [one, two].map(({ caller: { clientId } }) => ({ clientId, label: expect.any(String) })),
    })
    router.unavailable = false
    expect(await unlink(stage, owner, one.caller.clientId)).toEqual({})
    expect(router.keys.has(one.caller.linkId)).toBe(false)
    expect(await stateOf(stage, one.caller.linkId)).toBe('over')
    expect(await eventsOf(stage, two.caller.linkId)).toEqual([{ name: 'agent.linked.v1' }])
  })

  test('publishes one event for several parallel ends', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    await Promise.all(Array.from({ length: 5 }, () => unlink(stage, owner, caller.clientId)))
    expect(await eventsOf(stage, caller.linkId)).toHaveLength(2)
  })
})

describe('devices', () => {
  const asked = { device: 'laptop', trust_device: true }
  const devicesOf = async (caller: Caller) => granted(await stage.call(agents.listDevices, {}, { caller })).devices
  const distrust = (device: string, caller: Caller) => stage.call(agents.distrustDevice, { device }, { caller })

  test('are listed with their number of agents and what is trusted; the newest decision counts', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, asked, { ...terms, trustDevice: true })
    const since = new Date(stage.clock.now()).toISOString()
    await stage.link(3, owner, asked, { scopes: ['mcp:call'], trustDevice: true })
    await stage.link(4, owner, { device: 'desktop' })
    await stage.link(5, owner)
    expect(await devicesOf(owner)).toEqual([
      { device: 'desktop', agents: 1, trust: null, automatic: 0 },
      {
        device: 'laptop',
        agents: 2,
        trust: { since, scopes: ['mcp:call'], allowanceUsd: '0', allowanceInUseUsd: '0' },
        automatic: 0,
      },
    ])
  })

  test('stay trusted without an agent until the owner distrusts them; agents the owner approved stay', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, asked, { ...terms, trustDevice: true })
    const other = await stage.link(3, owner, asked)
    await unlink(stage, owner, caller.clientId)
    await unlink(stage, owner, other.caller.clientId)
    expect(await devicesOf(owner)).toMatchObject([{ device: 'laptop', agents: 0, trust: { allowanceUsd: '7.5' } }])
    await stage.link(4, owner, asked)
    for (let n = 0; n < 2; n += 1) expect(await distrust('laptop', owner)).toEqual({})
    expect(await devicesOf(owner)).toEqual([{ device: 'laptop', agents: 1, trust: null, automatic: 0 }])
    expect(await distrust('unknown', owner)).toEqual({})
  })

  test('are listed however many are trusted: as many as fit, and how many more there are', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, asked)
    await stage.database.query(
      `insert into agents.device_trust (owner, device, scopes, allowance_usd, since)
       select $1, rpad('many-' || n || '-', 32, 'x'), '{mcp:call,router.use,call.publish}', 1, now()
       from generate_series(1, 8000) n`,
      [owner.owner],
    )
    const { devices, more = 0 } = granted(await stage.call(agents.listDevices, {}, { caller: owner }))
    expect({ first: devices[0]?.device, all: devices.length + more }).toEqual({ first: 'laptop', all: 8_001 })
    expect(more).toBeGreaterThan(0)
  })
})

test('401 unauthorized: no owner route serves an agent or an API key', async () => {
  const owner = newOwner()
  const { caller: agent } = await stage.link(AGENT, owner)
  const clientId = agent.clientId
  const callers: Caller[] = [agent, { kind: 'api_key', owner: owner.owner, keyId: 'key' }, { kind: 'anonymous' }]
  for (const caller of callers) {
    const answers = await Promise.all([
      stage.call(agents.list, {}, { caller }),
      edit(stage, caller, clientId, 1),
      unlink(stage, caller, clientId),
      stage.call(agents.listDevices, {}, { caller }),
      stage.call(agents.distrustDevice, { device: 'laptop' }, { caller }),
      stage.call(agents.acknowledge, { clientIds: [clientId] }, { caller }),
    ])
    expect(answers).toEqual(Array(6).fill({ refusal: 'unauthorized' }))
  }
})

test('401 unauthorized: a session that ends after its request is admitted changes no allowance', async () => {
  const owner = newOwner()
  const { caller } = await stage.link(AGENT, owner, {}, terms)
  expect(await stage.call(oauth.deleteSession, {}, { caller: owner })).toEqual({})
  expect(await edit(stage, owner, caller.clientId, 9)).toMatchObject({ refusal: 'unauthorized' })
  expect(router.allowances.get(caller.linkId)).toBe(7.5)
})

test('401 unauthorized: a session that ends while the Router sets an allowance leaves the previous allowance', async () => {
  const owner = newOwner()
  const { caller } = await stage.link(AGENT, owner, {}, terms)
  router.onceSet = async () => {
    router.onceSet = undefined
    expect(router.allowances.get(caller.linkId)).toBe(9)
    await stage.call(oauth.deleteSession, {}, { caller: owner })
  }
  expect(await edit(stage, owner, caller.clientId, 9)).toMatchObject({ refusal: 'unauthorized' })
  expect(router.allowances.get(caller.linkId)).toBe(7.5)
  expect(await agentsOf(stage, owner)).toMatchObject([{ router: { allowanceUsd: '7.5' } }])
})

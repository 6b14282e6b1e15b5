import { agents, type Caller } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aRouter, routerState } from './a-router.ts'
import { eventsOf, granted, newOwner, openStage, type Stage } from './stage.ts'

const router = routerState()
let stage: Stage
/** The same services without a Router. */
let routerless: Stage
beforeAll(async () => {
  stage = await openStage({ modules: [aRouter(router)] })
  routerless = await openStage()
})
afterAll(async () => {
  await stage.close()
  await routerless.close()
})
beforeEach(() => {
  router.away = false
})

const AGENT = 2
const UNKNOWN = `agent_0x${'ab'.repeat(20)}`
const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 7.5 }
const AWAY = { refusal: 'temporarily_unavailable', retryAfterSeconds: 5 }

const agentsOf = async (on: Stage, caller: Caller) => granted(await on.call(agents.list, {}, { caller })).agents
const edit = (on: Stage, caller: Caller, clientId: string, routerAllowanceUsd: number) =>
  on.call(agents.edit, { clientId, routerAllowanceUsd }, { caller })
const unlink = (on: Stage, caller: Caller, clientId: string) => on.call(agents.unlink, { clientId }, { caller })
const stateOf = async (on: Stage, id: string) =>
  (await on.database.query<{ state: string }>('select state from agents.link where id = $1', [id]))[0]?.state

describe('list', () => {
  test('the owner’s live agents, when each was last used, and what it may and did spend', async () => {
    const owner = newOwner()
    const linkedAt = new Date(stage.clock.now()).toISOString()
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
        lastUsedAt: linkedAt,
        router: { allowanceUsd: '7.5', spentTodayUsd: '0.25' },
      },
      expect.objectContaining({ label: 'plain', device: null, router: null }),
    ])
    expect(await agentsOf(stage, newOwner())).toEqual([])
  })

  test('router is null while the Router is away, but for an agent that has no key', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, {}, terms)
    router.away = true
    expect(await agentsOf(stage, owner)).toMatchObject([{ router: null }])
    await routerless.link(AGENT, owner, {}, terms)
    expect(await agentsOf(routerless, owner)).toMatchObject([{ router: { allowanceUsd: '7.5', spentTodayUsd: '0' } }])
  })

  test('lastUsedAt is null for one that never called', async () => {
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

  test('503 temporarily_unavailable while the Router is away, and nothing is stored', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    router.away = true
    expect(await edit(stage, owner, caller.clientId, 100)).toMatchObject(AWAY)
    router.away = false
    expect(await agentsOf(stage, owner)).toMatchObject([{ router: { allowanceUsd: '7.5' } }])
  })

  test('needs no Router where the agent has no key', async () => {
    const owner = newOwner()
    const { caller } = await routerless.link(AGENT, owner, {}, terms)
    expect(await edit(routerless, owner, caller.clientId, 0)).toMatchObject({
      agent: { router: { allowanceUsd: '0' } },
    })
  })

  test('of parallel edits the stored allowance is the one that the Router has', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    await Promise.all([1, 2, 3, 4, 5].map((usd) => edit(stage, owner, caller.clientId, usd)))
    const [agent] = await agentsOf(stage, owner)
    expect(agent?.router?.allowanceUsd).toBe(String(router.allowances.get(caller.linkId)))
  })

  test('404 not_found: an unknown client id, another owner’s, and one that was unlinked', async () => {
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

  test('of an unknown client id, or of another owner’s agent, changes nothing and is no error', async () => {
    const { caller, tokens } = await stage.link(AGENT, newOwner())
    expect(await unlink(stage, newOwner(), UNKNOWN)).toEqual({})
    expect(await unlink(stage, newOwner(), caller.clientId)).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeDefined()
  })

  test('needs no Router where the agent has no key', async () => {
    const owner = newOwner()
    const { caller, tokens } = await routerless.link(AGENT, owner, {}, terms)
    expect(await unlink(routerless, owner, caller.clientId)).toEqual({})
    expect(await routerless.callerOf(tokens.access_token)).toBeUndefined()
  })

  test('503 while the Router is away: the tokens are void, the keys follow by the job or by asking again', async () => {
    const owner = newOwner()
    const [one, two] = [await stage.link(AGENT, owner, {}, terms), await stage.link(3, owner, {}, terms)]
    router.away = true
    for (const { caller, tokens } of [one, two]) {
      expect(await unlink(stage, owner, caller.clientId)).toMatchObject(AWAY)
      expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
      expect(await stateOf(stage, caller.linkId)).toBe('ending')
    }
    expect(await agentsOf(stage, owner)).toEqual([])
    router.away = false
    expect(await unlink(stage, owner, one.caller.clientId)).toEqual({})
    expect(router.keys.has(one.caller.linkId)).toBe(false)
    expect(await stateOf(stage, one.caller.linkId)).toBe('over')
    expect(await eventsOf(stage, two.caller.linkId)).toEqual([{ name: 'agent.linked.v1' }])
  })

  test('of parallel ends one is told', async () => {
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

  test('with how many agents they have and what is trusted; the newest decision counts', async () => {
    const owner = newOwner()
    await stage.link(AGENT, owner, asked, { ...terms, trustDevice: true })
    const since = new Date(stage.clock.now()).toISOString()
    await stage.link(3, owner, asked, { scopes: ['mcp:call'], trustDevice: true })
    await stage.link(4, owner, { device: 'desktop' })
    await stage.link(5, owner)
    expect(await devicesOf(owner)).toEqual([
      { device: 'desktop', agents: 1, trust: null },
      { device: 'laptop', agents: 2, trust: { since, scopes: ['mcp:call'], allowanceUsd: '0' } },
    ])
  })

  test('stay trusted without an agent, until the owner distrusts them; no link is touched, and repeating is no error', async () => {
    const owner = newOwner()
    const { caller } = await stage.link(AGENT, owner, asked, { ...terms, trustDevice: true })
    const other = await stage.link(3, owner, asked)
    await unlink(stage, owner, caller.clientId)
    await unlink(stage, owner, other.caller.clientId)
    expect(await devicesOf(owner)).toMatchObject([{ device: 'laptop', agents: 0, trust: { allowanceUsd: '7.5' } }])
    await stage.link(4, owner, asked)
    for (let n = 0; n < 2; n += 1) expect(await distrust('laptop', owner)).toEqual({})
    expect(await devicesOf(owner)).toEqual([{ device: 'laptop', agents: 1, trust: null }])
    expect(await distrust('unknown', owner)).toEqual({})
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
    ])
    expect(answers).toEqual(Array(5).fill({ refusal: 'unauthorized' }))
  }
})

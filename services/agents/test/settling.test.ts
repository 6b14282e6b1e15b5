import { agents, oauth as oauthOperations } from '@callboard/contract'
import { granted, type TestDatabase, testDatabase, UNREACHABLE_DEVNET, until } from '@callboard/testkit'
import { isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { LinkFailpoint } from '../src/links/failpoints.ts'
import { fakeRouter, type RouterState, routerState } from './fake-router.ts'
import { killedAt } from './killed.ts'
import { BASE_URL, eventsOf, newOwner, openStage, requesterAt, type Stage } from './stage.ts'

const AGENT = 2
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 7.5 }
const approval = { verdict: 'approve', ...terms, trustDevice: true }

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

/** The services after the next start, two minutes later. */
const restarted = (router: RouterState, startMs = Date.now() + 2 * MINUTE_MS) =>
  openStage({ modules: [fakeRouter(router)], database, startMs })

async function linkOf(grantId: string): Promise<{ id: string; state: string; ended_by: string | null } | undefined> {
  const links = 'select id, state, ended_by from agents.link where grant_id = $1'
  return (await database.query<{ id: string; state: string; ended_by: string | null }>(links, [grantId]))[0]
}
const settledAs = (grantId: string, state: string | undefined) =>
  until(`the link is ${state}`, async () => (await linkOf(grantId))?.state === state)
const grantOf = async (stage: Stage, userCode: string) =>
  granted(await stage.call(oauthOperations.findGrant, { userCode })).grantId

const env = () => ({ DATABASE_URL: database.url, BASE_URL, DEVNET: UNREACHABLE_DEVNET })

describe('kill -9 in the middle of an approval that replaces a link', () => {
  test.each<[LinkFailpoint, string]>([
    ['begun', 'approving'],
    ['keyed', 'approving'],
    ['granted', 'approving'],
    ['live', 'live'],
  ])(
    '%s: the job completes it: one live link, tokens once, and none of the previous link',
    async (failpoint, stood) => {
      const owner = newOwner()
      const before = await openStage({ modules: [fakeRouter(routerState())], database })
      const replaced = await before.link(AGENT, owner, {}, terms)
      const device = await before.ask(AGENT, { device: 'laptop', trust_device: true })
      const grantId = await grantOf(before, device.user_code)
      await before.close()

      const input = { userCode: device.user_code, requester: requesterAt('192.0.2.3'), decision: approval }
      await killedAt({ what: 'decideLink', input, caller: owner, failpoint, env: env() })
      expect((await linkOf(grantId))?.state).toBe(stood)

      const router = routerState()
      const after = await restarted(router)
      await settledAs(grantId, 'live')
      await until('the link before is over', async () => (await eventsOf(after, replaced.caller.linkId)).length === 2)
      const tokens = granted(await after.poll(device))
      const caller = await after.callerOf(tokens.access_token)
      expect(caller).toMatchObject({ kind: 'agent', owner: owner.owner, scopes: terms.scopes })
      expect(await after.callerOf(replaced.tokens.access_token)).toBeUndefined()
      expect(tokens.router_key).toBeDefined()
      // What was granted before the process died has its key; the rest gets one now.
      expect(router.minted).toBe(failpoint === 'begun' || failpoint === 'keyed' ? 1 : 0)
      expect(granted(await after.call(agents.list, {}, { caller: owner })).agents).toHaveLength(1)
      expect(granted(await after.call(agents.listDevices, {}, { caller: owner })).devices).toMatchObject([
        { device: 'laptop', agents: 1, trust: { allowanceUsd: '7.5' } },
      ])
      expect(await eventsOf(after, (await linkOf(grantId))?.id ?? '')).toEqual([{ name: 'agent.linked.v1' }])
      await after.close()
    },
  )
})

test('an agent that already has its tokens is shown, and can be ended, though its approval was not written down', async () => {
  const owner = newOwner()
  const before = await openStage({ modules: [fakeRouter(routerState())], database })
  const device = await before.ask(AGENT)
  expect(await before.call(agents.list, {}, { caller: owner })).toEqual({ agents: [] })
  await before.close()
  const input = { userCode: device.user_code, requester: requesterAt('192.0.2.4'), decision: approval }
  await killedAt({ what: 'decideLink', input, caller: owner, failpoint: 'granted', env: env() })

  // The job takes it up a minute later.
  const after = await restarted(routerState(), Date.now())
  const { access_token: token } = granted(await after.poll(device))
  expect(await after.callerOf(token)).toBeDefined()
  const listed = granted(await after.call(agents.list, {}, { caller: owner })).agents
  expect(listed).toMatchObject([{ clientId: device.client_id }])
  await after.call(agents.unlink, { clientId: device.client_id }, { caller: owner })
  expect(await after.callerOf(token)).toBeUndefined()
  await after.close()
})

test.each<LinkFailpoint>(['begun', 'keyed', 'granted'])(
  'kill -9 at %s, and a later approval of the same wallet: the job ends the earlier one, and the later one stays',
  async (failpoint) => {
    const owner = newOwner()
    const before = await openStage({ modules: [fakeRouter(routerState())], database })
    const device = await before.ask(AGENT)
    const grantId = await grantOf(before, device.user_code)
    expect(await before.call(agents.list, {}, { caller: owner })).toEqual({ agents: [] })
    await before.close()
    const input = { userCode: device.user_code, requester: requesterAt('192.0.2.5'), decision: approval }
    await killedAt({ what: 'decideLink', input, caller: owner, failpoint, env: env() })

    const router = routerState()
    const after = await restarted(router, Date.now())
    const { caller, tokens } = await after.link(AGENT, owner, {}, terms)
    after.clock.advance(2 * MINUTE_MS)
    await settledAs(grantId, 'over')
    expect((await linkOf(grantId))?.ended_by).toBe('relink')
    expect(await after.callerOf(tokens.access_token)).toMatchObject({ linkId: caller.linkId })
    expect([...router.keys.keys()]).toEqual([caller.linkId])
    expect(granted(await after.call(agents.list, {}, { caller: owner })).agents).toHaveLength(1)
    expect(isRefusal(await after.poll(device))).toBe(true)
    await after.close()
  },
)

test('an end that finds two approvals of a wallet is answered once nothing of either is left', async () => {
  const owner = newOwner()
  const before = await openStage({ modules: [fakeRouter(routerState())], database })
  const device = await before.ask(AGENT)
  expect(await before.call(agents.list, {}, { caller: owner })).toEqual({ agents: [] })
  await before.close()
  const input = { userCode: device.user_code, requester: requesterAt('192.0.2.8'), decision: approval }
  await killedAt({ what: 'decideLink', input, caller: owner, failpoint: 'granted', env: env() })

  const router = routerState()
  const after = await restarted(router, Date.now())
  await after.link(AGENT, owner, {}, terms)
  const links = await database.query<{ id: string }>('select id from agents.link where owner = $1', [owner.owner])
  for (const { id } of links) router.keys.set(id, ['cb_router_compute_left'])
  router.onceRevoked = async () => {
    router.onceRevoked = undefined
    throw new Error('the Router is away for a moment')
  }
  const unlink = () => after.call(agents.unlink, { clientId: device.client_id }, { caller: owner })
  const answered = await unlink()
  if (isRefusal(answered)) expect(await unlink()).toEqual({})
  expect(router.keys.size).toBe(0)
  await after.close()
})

test('a trust that a crash left unwritten does not replace a later decision about the device', async () => {
  const owner = newOwner()
  const trusting = { device: 'laptop', trust_device: true }
  const before = await openStage({ modules: [fakeRouter(routerState())], database })
  const device = await before.ask(AGENT, trusting)
  const grantId = await grantOf(before, device.user_code)
  expect(await before.call(agents.list, {}, { caller: owner })).toEqual({ agents: [] })
  await before.close()
  const input = { userCode: device.user_code, requester: requesterAt('192.0.2.6'), decision: approval }
  await killedAt({ what: 'decideLink', input, caller: owner, failpoint: 'granted', env: env() })

  const after = await restarted(routerState(), Date.now())
  await after.link(AGENT + 1, owner, trusting, { ...terms, trustDevice: true, routerAllowanceUsd: 5 })
  after.clock.advance(2 * MINUTE_MS)
  await settledAs(grantId, 'live')
  expect(granted(await after.call(agents.listDevices, {}, { caller: owner })).devices).toMatchObject([
    { device: 'laptop', agents: 2, trust: { allowanceUsd: '5' } },
  ])
  await after.close()
})

describe('kill -9 in the middle of an end', () => {
  test.each<LinkFailpoint>(['ending', 'void'])('%s: the job completes it, and publishes it once', async (failpoint) => {
    const owner = newOwner()
    const before = await openStage({ modules: [fakeRouter(routerState())], database })
    const { caller, tokens } = await before.link(AGENT, owner, {}, terms)
    await before.close()
    await killedAt({ what: 'unlink', input: { clientId: caller.clientId }, caller: owner, failpoint, env: env() })

    const after = await restarted(routerState())
    await until('it is published', async () => (await eventsOf(after, caller.linkId)).length === 2)
    expect(await eventsOf(after, caller.linkId)).toContainEqual({ name: 'agent.revoked.v1', by: 'owner' })
    expect(await after.callerOf(tokens.access_token)).toBeUndefined()
    expect(await after.call(agents.unlink, { clientId: caller.clientId }, { caller: owner })).toEqual({})
    await after.close()
  })
})

describe('kill -9 in the middle of an end that takes its descendants with it', () => {
  const trusted = { device: 'laptop', trust_device: true, scope: 'mcp:call router.use', router_allowance_usd: 1 }

  test.each<['unlink' | 'distrustDevice', LinkFailpoint]>([
    ['unlink', 'ending'],
    ['unlink', 'void'],
    ['distrustDevice', 'ending'],
    ['distrustDevice', 'void'],
  ])('%s, at %s: the job completes all of it, and publishes each once', async (what, failpoint) => {
    const owner = newOwner()
    const before = await openStage({ modules: [fakeRouter(routerState())], database })
    const root = await before.link(AGENT, owner, trusted, { ...terms, trustDevice: true })
    const children: { linkId: string; token: string }[] = []
    for (const agent of [AGENT + 1, AGENT + 2]) {
      const device = await before.ask(agent, trusted, root.caller)
      const { access_token: token } = granted(await before.poll(device))
      const caller = await before.callerOf(token)
      children.push({ linkId: caller?.kind === 'agent' ? caller.linkId : '', token })
    }
    await before.close()
    const input = what === 'unlink' ? { clientId: root.caller.clientId } : { device: 'laptop' }
    await killedAt({ what, input, caller: owner, failpoint, env: env() })

    const router = routerState()
    for (const { linkId } of children) router.keys.set(linkId, ['cb_router_stake_left'])
    const after = await restarted(router)
    for (const { linkId, token } of children) {
      await until('it is published', async () => (await eventsOf(after, linkId)).length === 2)
      expect((await eventsOf(after, linkId)).at(-1)?.by).toBe(what === 'unlink' ? 'parent' : 'trust')
      expect(await after.callerOf(token)).toBeUndefined()
    }
    const isRootGood = (await after.callerOf(root.tokens.access_token)) !== undefined
    expect(isRootGood).toBe(what === 'distrustDevice')
    await after.close()
  })
})

describe('what a killed process left', () => {
  /** A link that was only begun, as if its process had died there. */
  async function begunOnly(stage: Stage, owner = newOwner()) {
    const device = await stage.ask(AGENT)
    const grantId = await grantOf(stage, device.user_code)
    await stage.database.query('insert into agents.owner values ($1) on conflict do nothing', [owner.owner])
    await stage.database.query(
      `insert into agents.link (id, grant_id, owner, client_id, wallet, label, trusts_device, scopes, allowance_usd,
         may_have_key, state, linked_at, attempted_at)
       select 'link-' || grant_id, grant_id, $2, $3, wallet, label, false, '{mcp:call}', 0, true, 'approving', asked_at,
         asked_at from agents.link_request where grant_id = $1`,
      [grantId, owner.owner, device.client_id],
    )
    return { device, grantId, owner }
  }

  test('is left alone for a minute, in which its owner can neither end it nor decide it again', async () => {
    const stage = await openStage({ modules: [fakeRouter(routerState())], database })
    const { device, grantId, owner } = await begunOnly(stage)
    expect(await stage.call(agents.unlink, { clientId: device.client_id }, { caller: owner })).toMatchObject({
      refusal: 'temporarily_unavailable',
    })
    expect(await stage.approve(device.user_code, owner)).toMatchObject({ refusal: 'already_decided' })
    expect((await linkOf(grantId))?.state).toBe('approving')
    await stage.close()
  })

  test.each(['denied', 'expired'] as const)(
    'is undone when its grant was %s, along with any key it may have',
    async (how) => {
      const stage = await openStage({ modules: [fakeRouter(routerState())], database })
      const { device, grantId, owner } = await begunOnly(stage)
      if (how === 'denied') await stage.call(oauthOperations.denyGrant, { grantId })
      const now = stage.clock.now()
      await stage.close()
      const router = routerState()
      router.keys.set(`link-${grantId}`, ['cb_router_stake_left'])
      const after = await restarted(router, now + (how === 'denied' ? 2 : 21) * MINUTE_MS)
      await settledAs(grantId, undefined)
      expect(router.keys.size).toBe(0)
      expect(isRefusal(await after.poll(device))).toBe(true)
      expect(granted(await after.call(agents.list, {}, { caller: owner })).agents).toEqual([])
      expect(await eventsOf(after, `link-${grantId}`)).toEqual([])
      await after.close()
    },
  )

  test('waits for an unavailable Router, while its tokens are void', async () => {
    const router = routerState()
    const stage = await openStage({ modules: [fakeRouter(router)], database })
    const owner = newOwner()
    const { caller, tokens } = await stage.link(AGENT, owner, {}, terms)
    router.unavailable = true
    await stage.call(agents.unlink, { clientId: caller.clientId }, { caller: owner })
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
    const now = stage.clock.now()
    await stage.close()

    const without = await openStage({ database, startMs: now + 2 * MINUTE_MS })
    const attempted = 'select attempted_at from agents.link where id = $1'
    await until('the job has tried', async () => {
      const [row] = await database.query<{ attempted_at: Date }>(attempted, [caller.linkId])
      return row?.attempted_at.getTime() === without.clock.now()
    })
    expect(await eventsOf(without, caller.linkId)).toHaveLength(1)
    await without.close()

    router.unavailable = false
    const after = await restarted(router, now + 4 * MINUTE_MS)
    await until('it is published', async () => (await eventsOf(after, caller.linkId)).length === 2)
    expect(router.keys.size).toBe(0)
    await after.close()
  })

  test('is settled by only one of two replicas for each link', async () => {
    const stage = await openStage({ modules: [fakeRouter(routerState())], database })
    const left = await Promise.all(Array.from({ length: 4 }, () => begunOnly(stage)))
    await stage.close()
    const router = routerState()
    const replicas = await Promise.all([restarted(router), restarted(router)])
    for (const { grantId } of left) await settledAs(grantId, 'live')
    for (const { grantId } of left) expect(await eventsOf(replicas[0] as Stage, `link-${grantId}`)).toHaveLength(1)
    for (const replica of replicas) await replica.close()
  })
})

describe('an allowance that may differ at the Router is recorded', () => {
  const asked = async (linkId: string) => {
    const rows = await database.query<{ allowance_asked_at: Date | null }>(
      'select allowance_asked_at from agents.link where id = $1',
      [linkId],
    )
    return rows[0]?.allowance_asked_at
  }
  const edit = (stage: Stage, owner: ReturnType<typeof newOwner>, clientId: string, routerAllowanceUsd: number) =>
    stage.call(agents.edit, { clientId, routerAllowanceUsd }, { caller: owner })
  const shown = async (stage: Stage, owner: ReturnType<typeof newOwner>) =>
    granted(await stage.call(agents.list, {}, { caller: owner })).agents.map(({ router }) => router?.allowanceUsd)

  /** The Router sets the next allowance, but its answer is lost. */
  const loseAnswer = (router: RouterState) => {
    router.onceSet = async () => {
      router.onceSet = undefined
      throw new Error('the answer is lost')
    }
  }

  /** A link and its Router. */
  async function linked() {
    const [router, owner] = [routerState(), newOwner()]
    const stage = await openStage({ modules: [fakeRouter(router)], database })
    const { caller } = await stage.link(AGENT, owner, {}, terms)
    return { ...caller, router, owner, stage }
  }

  test('kill -9 before it is recorded: the Router gets the shown allowance again, and nothing stays uncertain', async () => {
    const { stage, owner, clientId, linkId } = await linked()
    const at = stage.clock.now()
    await stage.close()
    const input = { clientId, routerAllowanceUsd: 50 }
    await killedAt({ what: 'edit', input, caller: owner, failpoint: 'set', env: env() })
    const router = routerState()
    router.allowances.set(linkId, 50)
    const after = await restarted(router, at + 2 * MINUTE_MS)
    await until('the Router has what is shown', async () => router.allowances.get(linkId) === 7.5)
    expect(await shown(after, owner)).toEqual(['7.5'])
    await until('it is sure', async () => (await asked(linkId)) === null)
    await after.close()
  })

  test('a lost answer: a minute later the Router is set to the shown allowance', async () => {
    const { stage, router, owner, clientId, linkId } = await linked()
    loseAnswer(router)
    expect(await edit(stage, owner, clientId, 50)).toMatchObject({ refusal: 'temporarily_unavailable' })
    expect(router.allowances.get(linkId)).toBe(50)
    stage.clock.advance(MINUTE_MS + 1)
    await until('the Router has what is shown', async () => router.allowances.get(linkId) === 7.5)
    expect(await shown(stage, owner)).toEqual(['7.5'])
    await stage.close()
  })

  test('an allowance set by a session that ended meanwhile, and not reset at once, is reset later', async () => {
    const { stage, router, owner, clientId, linkId } = await linked()
    router.onceSet = async () => {
      await stage.call(oauthOperations.deleteSession, {}, { caller: owner })
      router.unavailable = true
    }
    expect(await edit(stage, owner, clientId, 50)).toMatchObject({ refusal: 'unauthorized' })
    expect(router.allowances.get(linkId)).toBe(50)
    Object.assign(router, { unavailable: false, onceSet: undefined })
    stage.clock.advance(MINUTE_MS + 1)
    await until('the Router has what is shown', async () => router.allowances.get(linkId) === 7.5)
    await stage.close()
  })

  test('an edit refused before the Router is asked leaves an earlier uncertainty to the job', async () => {
    const { stage, router, owner, clientId, linkId } = await linked()
    loseAnswer(router)
    expect(await edit(stage, owner, clientId, 50)).toMatchObject({ refusal: 'temporarily_unavailable' })
    const stale = { ...owner, signedInAt: isoTime(stage.clock.now() - DAY_MS) }
    expect(await edit(stage, stale, clientId, 60)).toMatchObject({ refusal: 'fresh_signature_required' })
    stage.clock.advance(MINUTE_MS + 1)
    await until('the Router has what is shown', async () => router.allowances.get(linkId) === 7.5)
    await stage.close()
  })

  test('is not recorded after an edit that was answered, or refused before the Router was asked', async () => {
    const { stage, owner, clientId, linkId } = await linked()
    granted(await edit(stage, owner, clientId, 9))
    expect(await asked(linkId)).toBeNull()
    const stale = { ...owner, signedInAt: isoTime(stage.clock.now() - DAY_MS) }
    expect(await edit(stage, stale, clientId, 50)).toMatchObject({ refusal: 'fresh_signature_required' })
    expect(await asked(linkId)).toBeNull()
    await stage.close()
  })

  test('an unreachable Router is asked again every minute, and an edit meanwhile stands', async () => {
    const { stage, router, owner, clientId, linkId } = await linked()
    router.unavailable = true
    expect(await edit(stage, owner, clientId, 50)).toMatchObject({ refusal: 'temporarily_unavailable' })
    const first = await asked(linkId)
    stage.clock.advance(MINUTE_MS + 1)
    await until('it was tried', async () => (await asked(linkId))?.getTime() !== first?.getTime())
    router.unavailable = false
    granted(await edit(stage, owner, clientId, 3))
    expect(await asked(linkId)).toBeNull()
    stage.clock.advance(MINUTE_MS + 1)
    expect(router.allowances.get(linkId)).toBe(3)
    await stage.close()
  })
})

test('requests are removed a day after they expired', async () => {
  const stage = await openStage({ database })
  const { user_code } = await stage.ask(AGENT)
  const grantId = await grantOf(stage, user_code)
  const now = stage.clock.now()
  await stage.close()
  const dayMs = 24 * 60 * MINUTE_MS
  const requests = () => database.query('select 1 from agents.link_request where grant_id = $1', [grantId])
  const sooner = await restarted(routerState(), now + dayMs)
  expect(await requests()).toHaveLength(1)
  await sooner.close()
  const later = await restarted(routerState(), now + dayMs + 21 * MINUTE_MS)
  await until('it is gone', async () => (await requests()).length === 0)
  await later.close()
})

test('a link that has been over for a quarter of a year is swept; one a day newer, or a live one, is not', async () => {
  const owner = newOwner()
  const before = await openStage({ database })
  const began = before.clock.now()
  const links = [
    await before.link(AGENT, owner),
    await before.link(AGENT + 1, owner),
    await before.link(AGENT + 2, owner),
  ]
  const [older, newer, live] = links.map(({ caller }) => caller)
  const unlink = async (clientId = '') => granted(await before.call(agents.unlink, { clientId }, { caller: owner }))
  await unlink(older?.clientId)
  before.clock.advance(DAY_MS)
  await unlink(newer?.clientId)
  await before.close()
  const late = await restarted(routerState(), began + 90 * DAY_MS + MINUTE_MS)
  const left = () => database.query('select id from agents.link where owner = $1 order by linked_at', [owner.owner])
  await until('one is swept', async () => (await left()).length === 2)
  expect(await left()).toEqual([{ id: newer?.linkId }, { id: live?.linkId }])
  await late.close()
})

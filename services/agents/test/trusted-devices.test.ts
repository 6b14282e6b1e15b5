import { agents, type Caller, type InputOf, oauth } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { HOUR_MS, isoTime, isRefusal, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fakeRouter, routerState } from './fake-router.ts'
import { eventsOf, type Linked, newOwner, openStage, requesterAt, type Stage } from './stage.ts'

const SCOPE = 'mcp:call router.use'
const asked = { device: 'laptop', trust_device: true, scope: SCOPE, router_allowance_usd: 5 }
const TERMS = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], trustDevice: true }
/** Wallets of agents; the first of a line of descent is its root. */
const [ROOT, FIRST, SECOND, THIRD, THIRD_PARTY] = [20, 21, 22, 23, 24]

const router = { ...routerState(), usualUsd: '0' }
let stage: Stage
/** Another replica on the same database. */
let second: Stage
beforeAll(async () => {
  const env = { AUTOMATIC_LINKS_PER_HOUR: '19', AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: '38' }
  stage = await openStage({ modules: [fakeRouter(router)], env })
  const { database, clock } = stage
  second = await openStage({ modules: [fakeRouter(router)], database, env, startMs: clock.now() })
})
afterAll(async () => {
  await second?.close()
  await stage?.close()
})

/** An owner who trusts a device through one of its agents, up to a daily limit in USD. */
async function trusting(routerAllowanceUsd = 20, on = stage) {
  const owner = newOwner()
  return { owner, root: await on.link(ROOT, owner, asked, { ...TERMS, routerAllowanceUsd }) }
}

/** An agent that was linked at the request of another, without its owner. */
async function childOf(parent: Linked, agent: number, more = {}): Promise<Linked> {
  const device = await stage.ask(agent, { ...asked, label: `agent-${agent}`, ...more }, parent.caller)
  expect(device.auto_approved).toBe(true)
  const tokens = granted(await stage.poll(device))
  const caller = await stage.callerOf(tokens.access_token)
  if (caller?.kind !== 'agent') throw new Error('the token is not an agent’s')
  stage.clock.advance(1)
  return { caller, tokens, routerUnavailable: false }
}

/** A root, its child and its grandchild. */
async function threeGenerations() {
  const { owner, root } = await trusting()
  const child = await childOf(root, FIRST)
  return { owner, root, child, grandchild: await childOf(child, SECOND) }
}

type Ends = Partial<Pick<InputOf<typeof agents.unlink>, 'descendants'>>
const agentsOf = async (caller: Caller) => granted(await stage.call(agents.list, {}, { caller })).agents
const devicesOf = async (caller: Caller) => granted(await stage.call(agents.listDevices, {}, { caller })).devices
const unlink = (owner: Caller, { caller }: Linked, more: Ends = {}) =>
  stage.call(agents.unlink, { clientId: caller.clientId, ...more }, { caller: owner })
const distrust = (owner: Caller, more: Ends = {}) =>
  stage.call(agents.distrustDevice, { device: 'laptop', ...more }, { caller: owner })
const isGood = async ({ tokens }: Linked) => (await stage.callerOf(tokens.access_token)) !== undefined
const endOf = async ({ caller }: Linked) => (await eventsOf(stage, caller.linkId)).at(-1)?.by

describe('the limit of a trust', () => {
  test('is one sum over everything that it approves, for twenty concurrent requests at two replicas', async () => {
    const { owner, root } = await trusting(50)
    const more = { ...asked, router_allowance_usd: 20 }
    const devices = await Promise.all(
      Array.from({ length: 20 }, (_, n) => [stage, second][n % 2]?.ask(30 + n, more, root.caller)),
    )
    expect(devices.filter((device) => device?.auto_approved)).toHaveLength(2)
    const [laptop] = await devicesOf(owner)
    expect(laptop).toMatchObject({ automatic: 2, trust: { allowanceUsd: '50', allowanceInUseUsd: '40' } })
    expect((await childOf(root, 60, { router_allowance_usd: 10 })).caller.owner).toBe(owner.owner)
    await pends(await stage.ask(61, { ...asked, router_allowance_usd: 0.01 }, root.caller))
  })

  test('403 owner_approval_required: does not include the owner’s balance, whatever the scope says', async () => {
    const { root } = await trusting()
    const { caller } = await childOf(root, FIRST)
    expect(await stage.call(agents.createBalanceKey, {}, { caller })).toMatchObject({
      refusal: 'owner_approval_required',
    })
    granted(await stage.call(agents.createRouterKey, {}, { caller }))
    granted(await stage.call(agents.createBalanceKey, {}, { caller: root.caller }))
  })

  test('is freed by agents that ended, and not by those linked again', async () => {
    const { owner, root } = await trusting(5)
    const child = await childOf(root, FIRST)
    await pends(await stage.ask(SECOND, asked, root.caller))
    const again = await childOf(root, FIRST)
    expect(await isGood(child)).toBe(false)
    await pends(await stage.ask(SECOND, asked, root.caller))
    await unlink(owner, again)
    await childOf(root, SECOND)
  })

  test('is one sum per day across all wallets: what an agent spent stays spent when it ends itself', async () => {
    const { root } = await trusting(5)
    const spend = ({ caller }: Linked, spentUsd: string, heldUsd = '0') =>
      router.spent.set(caller.linkId, { spentUsd, heldUsd })
    const first = await childOf(root, FIRST)
    spend(first, '3.001')
    granted(await stage.call(agents.unlinkSelf, {}, { caller: first.caller }))
    await pends(await stage.ask(SECOND, { ...asked, router_allowance_usd: 2 }, root.caller))
    const second = await childOf(root, SECOND, { router_allowance_usd: 1.99 })
    spend(second, '0', '1.99')
    granted(await stage.call(agents.unlinkSelf, {}, { caller: second.caller }))
    await pends(await stage.ask(THIRD, { ...asked, router_allowance_usd: 0.01 }, root.caller))
    router.spent.clear()
    await childOf(root, THIRD)
  })

  test('counts the spending of a link to be replaced, and asks the owner while the Router cannot say', async () => {
    const { root } = await trusting(5)
    const child = await childOf(root, FIRST)
    router.spent.set(child.caller.linkId, { spentUsd: '4', heldUsd: '0' })
    await pends(await stage.ask(FIRST, { ...asked, router_allowance_usd: 2 }, root.caller))
    router.unavailable = true
    await pends(await stage.ask(FIRST, { ...asked, router_allowance_usd: 1 }, root.caller))
    router.unavailable = false
    await childOf(root, FIRST, { router_allowance_usd: 1 })
  })

  test('counts what an agent spent beyond an allowance that its owner has lowered since', async () => {
    const { owner, root } = await trusting(5)
    const child = await childOf(root, FIRST)
    router.spent.set(child.caller.linkId, { spentUsd: '3', heldUsd: '0.5' })
    const lowered = { clientId: child.caller.clientId, routerAllowanceUsd: 1 }
    granted(await stage.call(agents.edit, lowered, { caller: owner }))
    await pends(await stage.ask(SECOND, { ...asked, router_allowance_usd: 1.51 }, root.caller))
    await childOf(root, SECOND, { router_allowance_usd: 1.5 })
  })

  test('is given once, even to a wallet that asks again while it is being linked', async () => {
    const { owner, root } = await trusting(5)
    const again: Awaited<ReturnType<Stage['ask']>>[] = []
    router.onceMinted = async () => {
      router.onceMinted = undefined
      again.push(...(await Promise.all([1, 2, 3].map(() => stage.ask(FIRST, asked, root.caller)))))
    }
    expect((await stage.ask(FIRST, asked, root.caller)).auto_approved).toBe(true)
    expect(again).toHaveLength(3)
    for (const device of again) await pends(device)
    expect(await agentsOf(owner)).toHaveLength(2)
  })

  test('counts what the owner has raised since', async () => {
    const { owner, root } = await trusting(10)
    const child = await childOf(root, FIRST)
    const raised = { clientId: child.caller.clientId, routerAllowanceUsd: 9 }
    granted(await stage.call(agents.edit, raised, { caller: owner }))
    await pends(await stage.ask(SECOND, { ...asked, router_allowance_usd: 2 }, root.caller))
  })
})

test('an owner is told what an agent that names a trusted device may do beyond what it is granted', async () => {
  const { owner } = await trusting(20)
  const requester = requesterAt('192.0.2.9')
  const trustedFor = async (more: object) => {
    const { user_code: userCode } = await stage.ask(THIRD_PARTY, { scope: SCOPE, ...more })
    return granted(await stage.call(agents.readLinkRequest, { userCode, requester }, { caller: owner })).trusted
  }
  expect(await trustedFor({})).toBeNull()
  expect(await trustedFor({ device: 'desktop' })).toBeNull()
  expect(await trustedFor({ device: 'laptop' })).toEqual({ allowanceUsd: '20' })
  const few = { ...TERMS, trustDevice: false, routerAllowanceUsd: 1 }
  const thirdParty = await stage.link(THIRD_PARTY, owner, { device: 'laptop', scope: SCOPE }, few)
  await childOf(thirdParty, FIRST, { router_allowance_usd: 20 })
})

describe('links approved automatically within an hour', () => {
  test('never exceed the cap of their device and of their owner, concurrently or in sequence', async () => {
    const env = { AUTOMATIC_LINKS_PER_HOUR: '3', AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: '4' }
    const capped = await openStage({ env })
    const { owner, root } = await trusting(20, capped)
    const desktop = { ...asked, device: 'desktop' }
    const other = await capped.link(THIRD, owner, desktop, { ...TERMS, routerAllowanceUsd: 20 })
    const light = { router_allowance_usd: 0 }
    const approved = async (agent: number, about: object, { caller }: Linked) =>
      (await capped.ask(agent, { ...about, ...light }, caller)).auto_approved ?? false
    const atOnce = await Promise.all(Array.from({ length: 8 }, (_, n) => approved(30 + n, asked, root)))
    expect(atOnce.filter(Boolean)).toHaveLength(3)
    expect(await approved(40, desktop, other)).toBe(true)
    expect(await approved(41, desktop, other)).toBe(false)
    capped.clock.advance(HOUR_MS + 1)
    expect(await approved(42, desktop, other)).toBe(true)
    expect(await approved(43, asked, root)).toBe(true)
    await capped.close()
  })
})

describe('an automatically approved agent', () => {
  test('is shown to its owner: how, since when, by which parent, and that it is unseen', async () => {
    const { owner, root, child, grandchild } = await threeGenerations()
    const [first, next, last] = await agentsOf(owner)
    const byDevice = { by: 'trusted_device', seen: false }
    expect(first).toMatchObject({ approval: { by: 'owner', parent: null, seen: true }, descendants: 2 })
    const parent = { clientId: root.caller.clientId, label: 'scout' }
    expect(next).toMatchObject({ approval: { ...byDevice, parent }, descendants: 1 })
    expect(last).toMatchObject({
      approval: { ...byDevice, parent: { clientId: child.caller.clientId, label: `agent-${FIRST}` } },
      descendants: 0,
    })
    expect(first && next && first.linkedAt < next.linkedAt).toBe(true)
    const events = await stage.database.query<{ data: object }>('select data from agents.outbox where key = $1', [
      grandchild.caller.linkId,
    ])
    expect(events).toMatchObject([{ data: { approvedBy: 'trusted_device', parentLinkId: child.caller.linkId } }])
  })

  test('is unseen until its owner acknowledges it; another owner’s acknowledgement changes nothing', async () => {
    const { owner, child, grandchild } = await threeGenerations()
    const clientIds = [child.caller.clientId]
    const seen = async () => (await agentsOf(owner)).map(({ approval }) => approval.seen)
    expect(await stage.call(agents.acknowledge, { clientIds }, { caller: newOwner() })).toEqual({})
    expect(await seen()).toEqual([true, false, false])
    for (let time = 0; time < 2; time += 1) {
      expect(await stage.call(agents.acknowledge, { clientIds }, { caller: owner })).toEqual({})
      expect(await seen()).toEqual([true, true, false])
    }
    const again = await childOf(grandchild, FIRST)
    expect(again.caller.clientId).toBe(child.caller.clientId)
    expect((await seen()).filter(Boolean)).toHaveLength(1)
  })

  test('is marked for its siblings too', async () => {
    const { root, child } = await threeGenerations()
    const { siblings } = granted(await stage.call(agents.siblings, {}, { caller: child.caller }))
    expect(siblings).toMatchObject([
      { approvedBy: 'owner', parent: null },
      { approvedBy: 'trusted_device', parent: root.caller.clientId, self: true },
      { approvedBy: 'trusted_device', parent: child.caller.clientId },
    ])
  })
})

test('an agent that is ended while it links itself again: once that is answered, nothing of it is left', async () => {
  const { owner, root } = await trusting()
  const child = await childOf(root, FIRST)
  let ending: ReturnType<typeof unlink> | undefined
  router.onceAsked = async () => {
    router.onceAsked = undefined
    ending = unlink(owner, child)
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from "owner"%'`
    await until('its end waits for the approval', async () => (await stage.database.query(waiting)).length > 0)
  }
  const device = await stage.ask(FIRST, asked, child.caller)
  expect(await ending).toMatchObject({ refusal: 'temporarily_unavailable', retryAfterSeconds: 5 })
  expect(await unlink(owner, child)).toEqual({})
  expect(isRefusal(await stage.poll(device))).toBe(true)
  expect(await agentsOf(owner)).toHaveLength(1)
})

describe('the descendants of an agent', () => {
  test('end with it, through every generation: once that is answered, no token works and no key is left', async () => {
    const { owner, root, child, grandchild } = await threeGenerations()
    const bystander = await stage.link(THIRD_PARTY, owner)
    expect(await unlink(owner, root)).toEqual({})
    for (const linked of [root, child, grandchild]) {
      expect(await isGood(linked)).toBe(false)
      expect(router.keys.has(linked.caller.linkId)).toBe(false)
    }
    expect([await endOf(root), await endOf(child), await endOf(grandchild)]).toEqual(['owner', 'parent', 'parent'])
    expect(await isGood(bystander)).toBe(true)
    expect(await agentsOf(owner)).toHaveLength(1)
  })

  test('are kept if the owner says so, and then descend from their parent’s own parent', async () => {
    const { owner, root, child, grandchild } = await threeGenerations()
    expect(await unlink(owner, child, { descendants: 'keep' })).toEqual({})
    expect(await isGood(grandchild)).toBe(true)
    expect((await agentsOf(owner))[1]?.approval.parent?.clientId).toBe(root.caller.clientId)
    await unlink(owner, root)
    expect(await isGood(grandchild)).toBe(false)
  })

  test('end with an agent that ends itself, or whose tokens were revoked', async () => {
    const ways: ((root: Linked) => Promise<unknown>)[] = [
      ({ caller }) => stage.call(agents.unlinkSelf, {}, { caller }),
      ({ tokens }) =>
        stage.call(oauth.revoke, {
          ...{ client_id: undefined, client_secret: undefined, token_type_hint: undefined },
          token: tokens.access_token,
        }),
    ]
    for (const way of ways) {
      const { root, child, grandchild } = await threeGenerations()
      await way(root)
      await until(
        'its descendants have ended',
        async () => !(await isGood(child)) && !(await isGood(grandchild)),
        30_000,
      )
      expect(await isGood(root)).toBe(false)
    }
  })

  test('follow it when it is linked again, by its owner or automatically', async () => {
    const { owner, root, grandchild } = await threeGenerations()
    const relinked = await stage.link(ROOT, owner, asked, { ...TERMS, routerAllowanceUsd: 20 })
    const child = await childOf(relinked, FIRST)
    expect(await isGood(root)).toBe(false)
    expect(await isGood(grandchild)).toBe(true)
    const again = await childOf(grandchild, ROOT)
    expect(await isGood(grandchild)).toBe(true)
    expect(
      (await agentsOf(owner)).map(({ approval, descendants }) => [approval.parent?.clientId, descendants]),
    ).toEqual([
      [child.caller.clientId, 0],
      [again.caller.clientId, 1],
      [undefined, 2],
    ])
    await unlink(owner, again)
    for (const linked of [child, grandchild]) expect(await isGood(linked)).toBe(false)
  })

  test('end with it even when two of its children relinked each other concurrently', async () => {
    const { owner, root } = await trusting()
    const [first, other] = [await childOf(root, FIRST), await childOf(root, SECOND)]
    const linked = [await approving(owner, other, FIRST), await approving(owner, first, SECOND)]
    stage.clock.advance(2 * MINUTE_MS)
    const live = async () => (await agentsOf(owner)).filter(({ label }) => label === 'late')
    await until('the job has approved both', async () => (await live()).length === 2, 30_000)
    const [above, below] = (await live()).toSorted((one, two) => two.descendants - one.descendants)
    expect(above).toMatchObject({ descendants: 1, approval: { parent: { clientId: root.caller.clientId } } })
    expect(below).toMatchObject({ descendants: 0, approval: { parent: { clientId: above?.clientId } } })
    expect(await unlink(owner, root)).toEqual({})
    expect(await agentsOf(owner)).toEqual([])
    for (const { device } of linked) expect(isRefusal(await stage.poll(device))).toBe(true)
  })

  test('that are still being approved never get tokens, whether oauth has opened the grant or not', async () => {
    for (const isOpened of [false, true]) {
      const { owner, root } = await trusting()
      const { device, linkId } = await approving(owner, root)
      const grant = granted(await stage.call(oauth.findGrant, { userCode: device.user_code }))
      const given = { scopes: ['mcp:call' as const], replaces: [], sealed: null, routerUnavailable: false }
      const opens = { grantId: grant.grantId, linkId, owner: owner.owner, ...given }
      if (isOpened) granted(await stage.call(oauth.approveGrant, opens))
      expect(await unlink(owner, root)).toEqual({})
      expect(router.keys.has(linkId)).toBe(false)
      if (!isOpened) expect(isRefusal(await stage.call(oauth.approveGrant, opens))).toBe(true)
      expect(isRefusal(await stage.poll(device))).toBe(true)
      const states = 'select state from agents.link where id = $1'
      expect(await stage.database.query(states, [linkId])).toEqual([{ state: 'ending' }])
    }
  })
})

test('an agent whose approval its parent’s end met is over only once no key of it can be made any more', async () => {
  const { owner, root } = await trusting()
  const { device, linkId } = await approving(owner, root)
  expect(await unlink(owner, root)).toEqual({})
  const end = () => stage.call(agents.unlink, { clientId: device.client_id }, { caller: owner })
  expect(await end()).toMatchObject({ refusal: 'temporarily_unavailable', retryAfterSeconds: 5 })
  // The Router took the approval's request after it was asked to end the link's keys.
  router.keys.set(linkId, ['cb_router_stake_late'])
  stage.clock.advance(MINUTE_MS)
  await until('it has ended', async () => !isRefusal(await end()))
  expect(router.keys.has(linkId)).toBe(false)
})

describe('the agents that a trust approved', () => {
  test('are shown as ending at once where the Router is away; one that was approved just now, after a minute', async () => {
    const { owner, child, grandchild } = await threeGenerations()
    stage.clock.advance(2 * MINUTE_MS)
    const late = await childOf(grandchild, THIRD)
    const endingOf = async () => (await stage.call(agents.list, {}, { caller: owner })) as { ending?: object[] }
    router.unavailable = true
    onTestFinished(() => {
      router.unavailable = false
    })
    expect(await distrust(owner)).toMatchObject({ refusal: 'temporarily_unavailable' })
    const shown = ({ caller: { clientId } }: Linked) => expect.objectContaining({ clientId })
    expect((await endingOf()).ending).toEqual([shown(child), shown(grandchild)])
    stage.clock.advance(MINUTE_MS)
    expect((await endingOf()).ending).toEqual([shown(child), shown(grandchild), shown(late)])
  })

  test('end with it, while those the owner approved stay', async () => {
    const { owner, root, child, grandchild } = await threeGenerations()
    const orphan = await childOf(root, THIRD)
    for (let time = 0; time < 2; time += 1) expect(await distrust(owner)).toEqual({})
    for (const linked of [child, grandchild, orphan]) {
      expect(await isGood(linked)).toBe(false)
      expect(await endOf(linked)).toBe('trust')
      expect(router.keys.has(linked.caller.linkId)).toBe(false)
    }
    expect(await isGood(root)).toBe(true)
    expect(await devicesOf(owner)).toEqual([{ device: 'laptop', agents: 1, trust: null, automatic: 0 }])
  })

  test('are kept if the owner says so', async () => {
    const { owner, root, child, grandchild } = await threeGenerations()
    expect(await distrust(owner, { descendants: 'keep' })).toEqual({})
    for (const linked of [child, grandchild]) expect(await isGood(linked)).toBe(true)
    expect(await devicesOf(owner)).toMatchObject([{ agents: 3, trust: null, automatic: 2 }])
    await pends(await stage.ask(THIRD, asked, root.caller))
  })

  test('do not bring the trust back through an earlier approval that a crash left unwritten', async () => {
    const { owner, root } = await trusting()
    const { linkId } = await approving(owner, root)
    await stage.database.query(
      `update agents.link set trusts_device = true, approved_by = 'owner', parent_id = null where id = $1`,
      [linkId],
    )
    expect(await distrust(owner)).toEqual({})
    stage.clock.advance(2 * MINUTE_MS)
    await until(
      'the job has approved it',
      async () => (await agentsOf(owner)).some(({ label }) => label === 'late'),
      30_000,
    )
    expect(await devicesOf(owner)).toMatchObject([{ agents: 2, trust: null }])
    await pends(await stage.ask(THIRD, asked, root.caller))
  })

  test('503 while the Router is unavailable: the tokens are void all the same, and a repeat ends the keys', async () => {
    const { owner, child } = await threeGenerations()
    router.unavailable = true
    expect(await distrust(owner)).toMatchObject({ refusal: 'temporarily_unavailable' })
    expect(await isGood(child)).toBe(false)
    router.unavailable = false
    expect(await distrust(owner)).toEqual({})
    expect(router.keys.has(child.caller.linkId)).toBe(false)
  })

  test('are no longer approved once the trust has ended, even of twenty that ask at that moment', async () => {
    const { owner, root } = await trusting(1_000)
    const asking = Array.from({ length: 12 }, (_, n) =>
      [stage, second][n % 2]?.ask(70 + n, { ...asked, router_allowance_usd: 1 }, root.caller),
    )
    expect(await distrust(owner)).toEqual({})
    const live = async () => (await agentsOf(owner)).length
    expect(await live()).toBe(1)
    for (const device of await Promise.all(asking)) {
      const polled = device ? await stage.poll(device) : undefined
      if (polled && !isRefusal(polled)) expect(await stage.callerOf(polled.access_token)).toBeUndefined()
    }
    expect(await live()).toBe(1)
  })
})

/** A link awaiting approval at the request of another, as if its process had died there. */
async function approving(owner: Extract<Caller, { kind: 'session' }>, parent: Linked, agent = SECOND) {
  const device = await stage.ask(agent, { device: 'laptop', scope: 'mcp:call' })
  const { grantId } = granted(await stage.call(oauth.findGrant, { userCode: device.user_code }))
  const linkId = `link-${grantId}`
  await stage.database.query(
    `insert into agents.link (id, grant_id, owner, client_id, wallet, label, device, trusts_device, scopes, allowance_usd,
       may_have_key, state, linked_at, attempted_at, approved_by, parent_id)
     values ($1, $2, $3, $4, $5, 'late', 'laptop', false, '{mcp:call}', 0, true, 'approving', $6, $6, 'trusted_device', $7)`,
    [
      ...[linkId, grantId, owner.owner, device.client_id, wallet(agent).address, isoTime(stage.clock.now())],
      parent.caller.linkId,
    ],
  )
  router.keys.set(linkId, ['cb_router_stake_left'])
  return { device, linkId }
}

async function pends(device: Awaited<ReturnType<Stage['ask']>>) {
  expect(device).not.toHaveProperty('auto_approved')
  expect(await stage.poll(device)).toMatchObject({ refusal: 'authorization_pending' })
}

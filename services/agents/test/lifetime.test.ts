import { agents, type Caller } from '@callboard/contract'
import { granted, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { DAY_MS, SECOND_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fakeRouter, routerState } from './fake-router.ts'
import { eventsOf, newOwner, openStage } from './stage.ts'

const LINK_MAX_DAYS = 180
const [ROOT, CHILD, LATER] = [20, 21, 22]
const SCOPE = 'mcp:call router.use'
const TERMS = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 10 }

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

test('a link ends at the end of its lifetime, with its Router keys and the links that descend from it', async () => {
  const router = routerState()
  const at = (startMs?: number) =>
    openStage({
      ...{ modules: [fakeRouter(router)], env: { LINK_MAX_DAYS: String(LINK_MAX_DAYS) }, database },
      ...(startMs === undefined ? {} : { startMs }),
    })
  const owner = newOwner()
  const first = await at()
  const linkedAt = first.clock.now()
  const asked = { device: 'laptop', trust_device: true, scope: SCOPE, router_allowance_usd: 5 }
  const root = await first.link(ROOT, owner, asked, { ...TERMS, trustDevice: true })
  granted(await first.call(agents.createBalanceKey, {}, { caller: root.caller }))
  await first.close()

  const agentsOf = async (stage: typeof first, caller: Caller) =>
    granted(await stage.call(agents.list, {}, { caller })).agents.map(({ clientId }) => clientId)

  // The day before its end, it links another agent, and its owner links a third.
  const dayBefore = await at(linkedAt + (LINK_MAX_DAYS - 1) * DAY_MS)
  const device = await dayBefore.ask(CHILD, { ...asked, label: 'child' }, root.caller)
  expect(device.auto_approved).toBe(true)
  granted(await dayBefore.poll(device))
  const later = await dayBefore.link(LATER, owner, { label: 'later' }, TERMS)
  expect(router.keys.get(root.caller.linkId)).toHaveLength(2)
  expect(router.keys.size).toBe(3)
  expect(await agentsOf(dayBefore, owner)).toHaveLength(3)
  await dayBefore.close()

  const after = await at(linkedAt + LINK_MAX_DAYS * DAY_MS + SECOND_MS)
  await until('the keys of the link and its descendant have ended', () => router.keys.size === 1)
  expect(router.keys.get(later.caller.linkId)).toHaveLength(1)
  await until('the link is over', async () => (await eventsOf(after, root.caller.linkId)).length === 2)
  expect((await eventsOf(after, root.caller.linkId)).at(-1)).toEqual({ name: 'agent.revoked.v1', by: 'revoked' })
  expect(await agentsOf(after, owner)).toEqual([later.caller.clientId])
  await after.close()
})

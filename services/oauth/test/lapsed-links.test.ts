import { agentClientId, oauth as operations, type Scope } from '@callboard/contract'
import { granted, runOnce, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, SECOND_MS } from '@callboard/values'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endLapsedLinks } from '../src/jobs.ts'
import { endLapsedOfAgents } from '../src/store/ended.repository.ts'
import { owner, Stage } from './stage.ts'

const LINK_MAX_DAYS = 30
const clientId = agentClientId(wallet(2).address)

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open({ env: { LINK_MAX_DAYS: String(LINK_MAX_DAYS) } })
})
afterAll(() => stage.close())

let links = 0
/** The grant of a linked agent. */
async function linked(scopes: Scope[] = ['mcp:call', 'router.use']): Promise<string> {
  links += 1
  const { grantId } = granted(await stage.call(operations.createGrant, { clientId, scopes }))
  const given = { owner, scopes, replaces: [], sealed: null, routerUnavailable: false }
  granted(await stage.call(operations.approveGrant, { grantId, linkId: `link-${links}`, ...given }))
  return `link-${links}`
}

const endedAs = async (id: string) =>
  (await stage.database.query('select revoked_because from oauth.token_family where id = $1', [id]))[0]?.revoked_because
const toldOf = (id: string) => stage.database.query('select name, data from oauth.outbox where key = $1', [id])
/** Runs the job a time after now, at the stage's clock. */
const laterBy = (ms: number) => {
  stage.clock.advance(ms)
  return runOnce(endLapsedLinks, stage.context)
}

test('the grant of an agent ends after `LINK_MAX_DAYS`, and no second before, and that is published once', async () => {
  const id = await linked()
  await laterBy(LINK_MAX_DAYS * DAY_MS - SECOND_MS)
  const younger = await linked()
  expect(await endedAs(id)).toBeNull()
  await laterBy(SECOND_MS)
  expect(await endedAs(id)).toBe('lapsed')
  const endedAt = isoTime(stage.clock.now())
  await laterBy(SECOND_MS)
  const data = { familyId: id, clientId, owner, because: 'revoked', endedAt }
  expect(await toldOf(id)).toEqual([{ name: 'family.ended.v1', data }])
  expect(await endedAs(younger)).toBeNull()
  expect(await toldOf(younger)).toEqual([])
})

test('the end of a link that its owner ended is not published again', async () => {
  const id = await linked()
  granted(await stage.call(operations.revokeLink, { linkId: id }))
  await laterBy(LINK_MAX_DAYS * DAY_MS)
  expect(await endedAs(id)).toBe('owner')
  expect(await toldOf(id)).toEqual([])
})

test('the grant of a program, which holds no Router key, is left to its tokens', async () => {
  const program = await stage.register()
  granted(await stage.token(await stage.approved(program)))
  await laterBy(LINK_MAX_DAYS * DAY_MS)
  const families = 'select revoked_because from oauth.token_family where client_id = $1'
  expect(await stage.database.query(families, [program.client_id])).toEqual([{ revoked_because: null }])
})

test('however many grants lapse at once, the job ends all of them', async () => {
  await stage.database.query(
    `insert into oauth.token_family (id, client_id, owner, scopes, audience, created_at)
     select 'many-' || n, $1, $2, '{}', 'all', to_timestamp(0) from generate_series(1, 2500) n`,
    [clientId, owner],
  )
  await laterBy(0)
  const ended = `select count(*)::integer from oauth.outbox where key like 'many-%'`
  expect(await stage.database.query(ended)).toEqual([{ count: 2_500 }])
})

test('lapsed grants are found by an index, however many agents are linked', async () => {
  await stage.database.query(
    `insert into oauth.token_family (id, client_id, owner, scopes, audience, created_at)
     select 'live-' || n, $1, $2, '{}', 'all', $3::timestamptz from generate_series(1, 20000) n`,
    [clientId, owner, isoTime(stage.clock.now())],
  )
  await stage.database.query('analyze oauth.token_family')
  const plan = await stage.context.db.transaction().execute(async (tx) => {
    const sent = vi.spyOn(tx.getExecutor(), 'executeQuery')
    await endLapsedOfAgents(tx, new Date(0), new Date(0))
    const { sql = '', parameters = [] } = sent.mock.calls[0]?.[0] ?? {}
    return tx.executeQuery(CompiledQuery.raw(`explain ${sql}`, [...parameters]))
  })
  expect(JSON.stringify(plan.rows)).toContain('token_family_of_agents_by_consent')
})

import { oauth as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { owner, Stage, session } from './stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open({ env: { GRANTS_PER_OWNER: '3' } })
})
afterEach(() => stage.close())

const by = { caller: session }

/** A program that the owner allows. @returns its tokens */
async function allowed() {
  const tokens = granted(await stage.token(await stage.approved(await stage.register())))
  stage.clock.advance(MINUTE_MS)
  return tokens
}

/** Presents a token, which records its use. @returns whether it is active */
async function isActive({ access_token }: { access_token: string }): Promise<boolean> {
  const caller = await stage.callerOf(access_token)
  stage.clock.advance(MINUTE_MS)
  return caller !== undefined
}

test('of more authorizations than an owner may have, the one used the longest ago ends', async () => {
  const [first, second, third] = [await allowed(), await allowed(), await allowed()]
  expect(await isActive(first)).toBe(true)
  const fourth = await allowed()
  expect(await isActive(second)).toBe(false)
  for (const kept of [first, third, fourth]) expect(await isActive(kept)).toBe(true)
  expect(granted(await stage.call(operations.listClientGrants, {}, by)).grants).toHaveLength(3)
})

test('of many that an earlier release left, as many stay; agents, sessions and other owners keep theirs', async () => {
  const { access_token } = granted(await stage.call(operations.consoleToken, {}, { caller: stage.signedIn }))
  const of = (client: string, wallet: string, count: number) =>
    stage.database.query(
      `insert into oauth.token_family (id, client_id, owner, scopes, audience, created_at)
       select $1 || $2 || n, $1, $2, '{mcp:call}', 'http://127.0.0.1:8402', $4 from generate_series(1, $3::int) n`,
      [client, wallet, count, new Date(stage.clock.now() - MINUTE_MS)],
    )
  await stage.database.query('insert into oauth.account (owner, created_at) values ($1, now())', ['0xother'])
  await of('client_x', owner, 20)
  await of('agent_0x1', owner, 20)
  await of('client_x', '0xother', 20)
  const newest = await allowed()
  const inForce = async (client: string, wallet: string) =>
    (
      await stage.database.query(
        'select from oauth.token_family where client_id like $1 and owner = $2 and revoked_at is null',
        [client, wallet],
      )
    ).length
  expect(await inForce('client%', owner)).toBe(3)
  expect(await inForce('agent_0x1', owner)).toBe(20)
  expect(await inForce('client_x', '0xother')).toBe(20)
  expect(await isActive(newest)).toBe(true)
  expect(await isActive({ access_token })).toBe(true)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { agents, DEVICE_CODE_GRANT, type InputOf, oauth } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { isRefusal, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf, newOwner, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const NOTHING: InputOf<typeof oauth.token> = {
  ...{ client_id: undefined, client_secret: undefined, device_code: undefined, code: undefined },
  ...{ redirect_uri: undefined, code_verifier: undefined, refresh_token: undefined, scope: undefined },
  ...{ resource: undefined, grant_type: DEVICE_CODE_GRANT },
}
const revoke = (token: string) =>
  stage.call(oauth.revoke, { client_id: undefined, client_secret: undefined, token, token_type_hint: undefined })
const refresh = (refresh_token: string | undefined, client_id: string) =>
  stage.call(oauth.token, { ...NOTHING, grant_type: 'refresh_token', refresh_token, client_id })

const isOver = (linkId: string) => async () => {
  const rows = await stage.database.query<{ state: string }>('select state from agents.link where id = $1', [linkId])
  return rows[0]?.state === 'over'
}

test.concurrent('a link whose tokens were revoked leaves the owner’s list and is over', async () => {
  const owner = newOwner()
  const { caller, tokens } = await stage.link(2, owner)
  await revoke(tokens.access_token)
  await until('the link is over', isOver(caller.linkId), 30_000)
  expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toEqual([])
  expect(await eventsOf(stage, caller.linkId)).toEqual([
    { name: 'agent.linked.v1' },
    { name: 'agent.revoked.v1', by: 'revoked' },
  ])
})

test.concurrent('a link whose refresh token was stolen is over and says why', async () => {
  const { caller, tokens } = await stage.link(3, newOwner())
  const next = granted(await refresh(tokens.refresh_token, caller.clientId))
  granted(await refresh(next.refresh_token, caller.clientId))
  expect(isRefusal(await refresh(tokens.refresh_token, caller.clientId))).toBe(true)
  await until('the link is over', isOver(caller.linkId), 30_000)
  expect((await eventsOf(stage, caller.linkId)).at(-1)).toEqual({ name: 'agent.revoked.v1', by: 'reuse' })
})

test.concurrent('a link whose tokens were revoked before its approval was written down is over, whenever that is', async () => {
  const [owner, device] = [newOwner(), await stage.ask(4)]
  const { grantId } = granted(await stage.call(oauth.findGrant, { userCode: device.user_code }))
  const linkId = `link-${grantId}`
  await stage.database.query('insert into agents.owner values ($1)', [owner.owner])
  await stage.database.query(
    `insert into agents.link (id, grant_id, owner, client_id, wallet, label, trusts_device, scopes, allowance_usd,
       may_have_key, state, linked_at, attempted_at)
     select $3, grant_id, $2, $4, wallet, label, false, '{mcp:call}', 0, false, 'approving', asked_at, asked_at
       from agents.link_request where grant_id = $1`,
    [grantId, owner.owner, linkId, device.client_id],
  )
  const opened = { scopes: ['mcp:call' as const], replaces: [], sealed: null, routerUnavailable: false }
  granted(await stage.call(oauth.approveGrant, { grantId, linkId, owner: owner.owner, ...opened }))
  await revoke(granted(await stage.poll(device)).access_token)
  const given = async () =>
    stage.database.query(`select reason from agents.dead_letter where envelope->>'key' = $1`, [linkId])
  // Longer than an event is retried for here.
  await sleep(2_000)
  expect(await given()).toEqual([])
  stage.clock.advance(2 * MINUTE_MS)
  await until('the link is over', isOver(linkId), 30_000)
})

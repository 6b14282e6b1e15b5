import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { agents, oauth as oauthOperations } from '@callboard/contract'
import { type GrantFailpoint, grantFailpoints } from '@callboard/oauth/failpoints'
import type { FailpointHit } from '@callboard/runtime'
import { granted, until } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LinkFailpoint, linkFailpoints } from '../src/links/failpoints.ts'
import { RestartablePostgres } from './restartable-postgres.ts'
import { newOwner, openStage, type Stage } from './stage.ts'

const AGENT = 2
const MINUTE_MS = 60_000
let postgres: RestartablePostgres
let stage: Stage

beforeAll(async () => {
  postgres = await RestartablePostgres.start()
  stage = await openStage({ database: postgres.database })
}, 60_000)
afterAll(async () => {
  await stage?.close()
  await postgres?.dispose()
})

/** Does something once, when work reaches a failpoint. @returns whether it was reached */
function at(channel: string, failpoint: GrantFailpoint | LinkFailpoint, act: () => void) {
  let came = false
  const listener = (hit: unknown) => {
    if ((hit as FailpointHit).name !== failpoint || came) return
    came = true
    act()
  }
  subscribe(channel, listener)
  return {
    came: () => came,
    over: () => unsubscribe(channel, listener),
  }
}

/** The answer if Postgres is stopped at a failpoint; undefined for a fault. Postgres then runs again. */
async function stoppedAt<T>(channel: string, failpoint: GrantFailpoint | LinkFailpoint, ask: () => Promise<T>) {
  const stop = at(channel, failpoint, () => postgres.stopAtOnce())
  const answer = await ask().catch(() => undefined)
  stop.over()
  expect(stop.came()).toBe(true)
  await postgres.startAgain()
  return answer
}

/** The answer if Postgres commits but is stopped before it can confirm that. */
async function stoppedAfterCommit<T>(isCommitted: () => Promise<boolean>, ask: () => Promise<T>) {
  const mute = at(grantFailpoints.channel, 'written', () => postgres.mute())
  const asked = ask().catch(() => undefined)
  await until('it is committed', isCommitted)
  postgres.stopAtOnce()
  const answer = await asked
  mute.over()
  await postgres.startAgain()
  return answer
}

/** Retries until there is an answer, like a client that gets 503. */
const answered = <T>(ask: () => Promise<T>) => until('there is an answer', async () => ({ answer: await ask() }))

const tokensOf = async (clientId: string, owner: string) => {
  const of = `join oauth.token_family family on family.id = family_id
    where family.client_id = $1 and family.owner = $2 and family.revoked_at is null`
  const count = async (table: string, more = '') =>
    (await postgres.database.query(`select 1 from oauth.${table} ${of} ${more}`, [clientId, owner])).length
  return {
    families: (
      await postgres.database.query(
        'select 1 from oauth.token_family where client_id = $1 and owner = $2 and revoked_at is null',
        [clientId, owner],
      )
    ).length,
    access: await count('access_token'),
    refresh: await count('refresh_token'),
    unusedRefresh: await count('refresh_token', 'and used_at is null'),
  }
}
const ONE_PAIR = { families: 1, access: 1, refresh: 1, unusedRefresh: 1 }

const works = async (token: string) => (await answered(() => stage.callerOf(token))).answer?.kind === 'agent'

describe('a device code whose redemption is interrupted', () => {
  const approvedDevice = async () => {
    const owner = newOwner()
    const device = await stage.ask(AGENT)
    granted(await stage.approve(device.user_code, owner))
    return { owner: owner.owner, device }
  }

  test.each<GrantFailpoint>(['issued', 'written'])(
    '%s: remains valid, and the next poll gets the only pair',
    async (failpoint) => {
      const { owner, device } = await approvedDevice()
      expect(await stoppedAt(grantFailpoints.channel, failpoint, () => stage.poll(device))).toBeUndefined()
      expect(await tokensOf(device.client_id, owner)).toEqual({ families: 1, access: 0, refresh: 0, unusedRefresh: 0 })
      const tokens = granted((await answered(() => stage.poll(device))).answer)
      expect(await works(tokens.access_token)).toBe(true)
      expect(await tokensOf(device.client_id, owner)).toEqual(ONE_PAIR)
      expect(await stage.poll(device)).toMatchObject({ refusal: 'invalid_grant' })
    },
  )

  test('committed: the pair in the answer is valid, and there is no other', async () => {
    const { owner, device } = await approvedDevice()
    const answer = await stoppedAt(grantFailpoints.channel, 'committed', () => stage.poll(device))
    const tokens = granted(answer ?? { refusal: 'no answer' })
    expect(await works(tokens.access_token)).toBe(true)
    expect((await answered(() => stage.poll(device))).answer).toMatchObject({ refusal: 'invalid_grant' })
    expect(await tokensOf(device.client_id, owner)).toEqual(ONE_PAIR)
  })

  test('between the commit and its acknowledgement: the code was redeemed once, and is not redeemed again', async () => {
    const { owner, device } = await approvedDevice()
    const isRedeemed = async () => (await tokensOf(device.client_id, owner)).access === 1
    expect(await stoppedAfterCommit(isRedeemed, () => stage.poll(device))).toBeUndefined()
    expect((await answered(() => stage.poll(device))).answer).toMatchObject({ refusal: 'invalid_grant' })
    expect(await tokensOf(device.client_id, owner)).toEqual(ONE_PAIR)
  })
})

describe('a refresh token whose rotation is interrupted', () => {
  const refresh = (refreshToken: string | undefined, clientId: string) =>
    stage.call(oauthOperations.token, {
      ...{ client_secret: undefined, code: undefined, redirect_uri: undefined, code_verifier: undefined },
      ...{ device_code: undefined, scope: undefined, resource: undefined },
      ...{ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId },
    })
  const ROTATED_ONCE = { families: 1, access: 2, refresh: 2, unusedRefresh: 1 }

  test.each<GrantFailpoint>(['issued', 'written'])('%s: remains valid, and gives a pair', async (failpoint) => {
    const { tokens, caller } = await stage.link(AGENT, newOwner())
    const rotate = () => refresh(tokens.refresh_token, caller.clientId)
    expect(await stoppedAt(grantFailpoints.channel, failpoint, rotate)).toBeUndefined()
    expect(await tokensOf(caller.clientId, caller.owner)).toEqual(ONE_PAIR)
    const pair = granted((await answered(rotate)).answer)
    expect(await works(pair.access_token)).toBe(true)
    expect(await works(tokens.access_token)).toBe(true)
    expect(await tokensOf(caller.clientId, caller.owner)).toEqual(ROTATED_ONCE)
  })

  test('committed: a repeat gets the same pair', async () => {
    const { tokens, caller } = await stage.link(AGENT, newOwner())
    const rotate = () => refresh(tokens.refresh_token, caller.clientId)
    const pair = granted((await stoppedAt(grantFailpoints.channel, 'committed', rotate)) ?? { refusal: 'no answer' })
    expect((await answered(rotate)).answer).toEqual(pair)
    expect(await tokensOf(caller.clientId, caller.owner)).toEqual(ROTATED_ONCE)
  })

  test('between the commit and its acknowledgement: a repeat gets the same pair, and the family continues', async () => {
    const { tokens, caller } = await stage.link(AGENT, newOwner())
    const rotate = () => refresh(tokens.refresh_token, caller.clientId)
    const isRotated = async () => (await tokensOf(caller.clientId, caller.owner)).access === 2
    expect(await stoppedAfterCommit(isRotated, rotate)).toBeUndefined()
    const pair = granted((await answered(rotate)).answer)
    expect(await works(pair.access_token)).toBe(true)
    expect(await tokensOf(caller.clientId, caller.owner)).toEqual(ROTATED_ONCE)
    expect(isRefusal((await answered(() => refresh(pair.refresh_token, caller.clientId))).answer)).toBe(false)
  })
})

describe('an interrupted approval', () => {
  test.each<[string, GrantFailpoint | LinkFailpoint]>([
    [linkFailpoints.channel, 'begun'],
    [linkFailpoints.channel, 'keyed'],
    [grantFailpoints.channel, 'opened'],
    [grantFailpoints.channel, 'written'],
    [grantFailpoints.channel, 'committed'],
    [linkFailpoints.channel, 'granted'],
    [linkFailpoints.channel, 'live'],
  ])('%s %s: is completed, with one live link and one pair of tokens', async (channel, failpoint) => {
    const owner = newOwner()
    const device = await stage.ask(AGENT)
    await stoppedAt(channel, failpoint, () => stage.approve(device.user_code, owner))
    // A replica that starts two minutes later finds what was left.
    const later = await openStage({ database: postgres.database, startMs: stage.clock.now() + 2 * MINUTE_MS })
    const tokens = await until('the poller has its tokens', async () => {
      const answer = await later.poll(device)
      return isRefusal(answer) ? undefined : answer
    })
    expect(await works(tokens.access_token)).toBe(true)
    expect(await tokensOf(device.client_id, owner.owner)).toEqual(ONE_PAIR)
    const links = () => postgres.database.query('select state from agents.link where owner = $1', [owner.owner])
    // The pair is written before the link is, so a poller may see it first.
    await until('the link is live', async () => (await links()).every(({ state }) => state === 'live'))
    expect(await links()).toEqual([{ state: 'live' }])
    expect(granted(await later.call(agents.list, {}, { caller: owner })).agents).toHaveLength(1)
    await later.close()
  })
})

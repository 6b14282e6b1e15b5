import { agents, oauth as oauthOperations } from '@callboard/contract'
import { granted, type TestDatabase, testDatabase } from '@callboard/testkit'
import { isRefusal, type Refusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newOwner, openStage, requesterAt, type Stage } from './stage.ts'

const AGENT = 2
const TIMES = 20

describe.runIf(inject('redisUrl'))('two replicas of oauth and agents on one database and one Redis', () => {
  let database: TestDatabase
  let replicas: [Stage, Stage]

  beforeAll(async () => {
    database = await testDatabase(inject('postgresUrl'))
    const env = { REDIS_URL: inject('redisUrl') ?? '' }
    const startMs = Date.now()
    replicas = [await openStage({ database, env, startMs }), await openStage({ database, env, startMs })]
  })
  afterAll(async () => {
    for (const replica of replicas ?? []) await replica.close()
    await database?.drop()
  })

  /** Sends the same request twenty times at once, to both replicas in turn. */
  const atBoth = <T>(ask: (stage: Stage) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: TIMES }, (_, n) => ask(replicas[n % 2] as Stage)))
  const refusalsIn = (answers: (object | Refusal)[]) =>
    answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))
  const familiesOf = (clientId: string) =>
    database.query('select id from oauth.token_family where client_id = $1 and revoked_at is null', [clientId])
  const advance = (ms: number) => {
    for (const { clock } of replicas) clock.advance(ms)
  }

  test('of twenty polls of one approved code, one gets tokens, and only one pair of them exists', async () => {
    const [one] = replicas
    const device = await one.ask(AGENT)
    granted(await one.approve(device.user_code, newOwner()))
    const answers = await atBoth((stage) => stage.poll(device))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    expect(refusalsIn(answers)).toEqual(Array(TIMES - 1).fill('invalid_grant'))
    const [family] = await familiesOf(device.client_id)
    for (const table of ['access_token', 'refresh_token']) {
      expect(await database.query(`select 1 from oauth.${table} where family_id = $1`, [family?.id])).toHaveLength(1)
    }
  })

  test('of twenty requests with one nonce, one gets a device code', async () => {
    const input = await replicas[0].request(AGENT)
    const answers = await atBoth((stage) => stage.call(agents.deviceAuthorization, input))
    expect(refusalsIn(answers)).toEqual(Array(TIMES - 1).fill('invalid_agent_signature'))
  })

  test('twenty rotations of one refresh token return the same pair, and the family continues', async () => {
    const { tokens, caller } = await replicas[0].link(AGENT, newOwner())
    const rotated = await atBoth((stage) => refresh(stage, tokens.refresh_token, caller.clientId))
    expect(refusalsIn(rotated)).toEqual([])
    expect(new Set(rotated.map((answer) => JSON.stringify(answer))).size).toBe(1)
    // Again, within the time in which an answer may have been lost, at both replicas.
    advance(29_000)
    const repeated = await atBoth((stage) => refresh(stage, tokens.refresh_token, caller.clientId))
    expect(repeated).toEqual(rotated)
    const pair = granted(rotated[0] as (typeof rotated)[number])
    for (const stage of replicas) expect(await stage.callerOf(pair.access_token)).toMatchObject({ kind: 'agent' })
    expect(isRefusal(await refresh(replicas[1], pair.refresh_token, caller.clientId))).toBe(false)
  })

  test('a stolen refresh token used twenty times at once gets no tokens and ends its family', async () => {
    const { tokens, caller } = await replicas[0].link(AGENT, newOwner())
    const pair = granted(await refresh(replicas[0], tokens.refresh_token, caller.clientId))
    advance(31_000)
    const answers = await atBoth((stage) => refresh(stage, tokens.refresh_token, caller.clientId))
    expect(refusalsIn(answers)).toEqual(Array(TIMES).fill('invalid_grant'))
    for (const stage of replicas) expect(await stage.callerOf(pair.access_token)).toBeUndefined()
    expect(await refresh(replicas[1], pair.refresh_token, caller.clientId)).toMatchObject({ refusal: 'invalid_grant' })
  })

  test('approve and deny at once: one counts, and the poller gets that one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const device = await replicas[0].ask(AGENT)
      const owner = newOwner()
      // A network may try twenty wrong codes, and one decided meanwhile counts as wrong, so each round has its own.
      const about = { userCode: device.user_code, requester: requesterAt(`198.18.${round}.7`) }
      const approval = { scopes: ['mcp:call' as const], routerAllowanceUsd: 0, trustDevice: false }
      const decisions = await atBoth((stage) => {
        const decision =
          stage === replicas[0] ? { verdict: 'approve' as const, ...approval } : { verdict: 'deny' as const }
        return stage.call(agents.decideLink, { ...about, decision }, { caller: owner })
      })
      const isApproved = decisions.some((answer, n) => n % 2 === 0 && !isRefusal(answer))
      const isDenied = decisions.some((answer, n) => n % 2 === 1 && !isRefusal(answer))
      expect([isApproved, isDenied].filter(Boolean)).toHaveLength(1)
      for (const refused of refusalsIn(decisions)) {
        expect(['already_decided', 'not_found', 'rate_limited']).toContain(refused)
      }
      const polled = await replicas[1].poll(device)
      if (isApproved) expect(granted(polled)).toMatchObject({ owner_wallet: owner.owner })
      else expect(polled).toMatchObject({ refusal: 'access_denied' })
      expect(granted(await replicas[1].call(agents.list, {}, { caller: owner })).agents).toHaveLength(
        isApproved ? 1 : 0,
      )
    }
  })
})

const refresh = ({ call }: Stage, refreshToken: string | undefined, clientId: string) =>
  call(oauthOperations.token, {
    ...{ client_secret: undefined, code: undefined, redirect_uri: undefined, code_verifier: undefined },
    ...{ device_code: undefined, scope: undefined, resource: undefined },
    ...{ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId },
  })

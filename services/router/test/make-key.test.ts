import { type Caller, type OutputOf, oauth as oauthOperations, router as operations } from '@callboard/contract'
import { gateway } from '@callboard/gateway'
import { oauth } from '@callboard/oauth'
import { granted, runOnce, signedMessage, UNREACHABLE_DEVNET, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, isRefusal, MINUTE_MS } from '@callboard/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { RouterContext } from '../src/context.ts'
import { router } from '../src/index.ts'
import { forgetKeys } from '../src/jobs/forget-keys.ts'
import { openStage, type Stage } from './stage.ts'

type Session = Extract<Caller, { kind: 'session' }>

let stage: Stage
let signedIn: Session
beforeAll(async () => {
  const modules = [oauth, router, gateway]
  stage = await openStage(inject('postgresUrl'), { models: [], modules, env: { DEVNET: UNREACHABLE_DEVNET } })
  signedIn = await signIn()
})
afterAll(() => stage.close())

async function signIn(): Promise<Session> {
  const { services, base, clock } = stage
  const { nonce } = granted(await services.call(oauthOperations.siweNonce, { purpose: 'login' }))
  const message = await signedMessage(wallet(1), { purpose: 'login', nonce, baseUrl: base, now: clock.now() })
  const requester = { address: '127.0.0.1', userAgent: 'vitest' }
  const { sessionToken } = granted(await services.call(oauthOperations.createSession, { ...message, requester }))
  const asked = { credential: sessionToken, kind: 'session' } as const
  const known = granted(await services.call(oauthOperations.introspect, asked))
  if (!known.active || known.caller.kind !== 'session') throw new Error('not signed in')
  return known.caller
}

/** The owner's session, signed a given time ago. */
const session = (agoMs: number): Caller => ({ ...signedIn, signedInAt: isoTime(stage.clock.now() - agoMs) })
const make = (agoMs: number, input: object = {}) =>
  stage.services.call(
    operations.createKey,
    { label: 'laptop', source: 'balance', ...input },
    { caller: session(agoMs) },
  )
const listed = async () =>
  (
    (await stage.services.call(operations.listKeys, {}, { caller: session(60 * MINUTE_MS) })) as OutputOf<
      typeof operations.listKeys
    >
  ).keys

test('403 fresh_signature_required: a session signed too long ago makes no key, whatever the key may spend', async () => {
  const refusal = { refusal: 'fresh_signature_required', details: { maxAgeSeconds: 900 } }
  for (const input of [{}, { dailyLimitUsd: '0.01' }, { source: 'compute' }]) {
    expect(await make(15 * MINUTE_MS + 1, input)).toEqual(refusal)
  }
  expect(await listed()).toEqual([])
})

test('a key can be made within a quarter of an hour, and ended at any time', async () => {
  const made = await make(15 * MINUTE_MS)
  if (isRefusal(made)) expect.fail(made.refusal)
  expect(made).toMatchObject({ label: 'laptop', source: 'balance', key: expect.stringMatching(/^cb_router_/) })
  const ended = await stage.services.call(operations.deleteKey, { id: made.id }, { caller: session(60 * MINUTE_MS) })
  expect(isRefusal(ended)).toBe(false)
})

test('401 unauthorized: a session that ends after its request is admitted leaves no key', async () => {
  expect(await stage.services.call(oauthOperations.deleteSession, {}, { caller: signedIn })).toEqual({})
  expect(await make(MINUTE_MS)).toMatchObject({ refusal: 'unauthorized' })
  expect(await listed()).toEqual([])
})

test('keys that are made and ended again and again leave nothing after a quarter of a year', async () => {
  signedIn = await signIn()
  const made: string[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const { id } = granted(await make(0))
    await stage.services.call(operations.deleteKey, { id }, { caller: session(0) })
    made.push(id)
  }
  const left = async () => {
    const { rows } = await sql`
      select id from router_key where id = any(${made})
      union all select subject from budget where substr(subject, 5) = any(${made})
      union all select subject from budget_limit where substr(subject, 5) = any(${made})`.execute(stage.db)
    return rows
  }
  const forget = (laterMs: number) =>
    runOnce(forgetKeys, stage.services.contexts.get('router') as unknown as RouterContext, laterMs)
  await forget(89 * DAY_MS)
  expect(await left()).toHaveLength(9)
  await forget(91 * DAY_MS)
  expect(await left()).toEqual([])
})

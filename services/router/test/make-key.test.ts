import { type Caller, type OutputOf, router as operations } from '@callboard/contract'
import { isoTime, isRefusal, MINUTE_MS } from '@callboard/values'
import { AddressText } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { someOwner } from './router-store.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: [] })
})
afterAll(() => stage.close())

const owner = AddressText.parse(someOwner())
/** An owner's session, signed so long ago. */
const session = (agoMs: number): Caller => ({
  ...{ kind: 'session', owner, sessionId: 's', expiresAt: isoTime(stage.clock.now() + MINUTE_MS) },
  signedInAt: isoTime(stage.clock.now() - agoMs),
})
const make = (agoMs: number, input: object = {}) =>
  stage.services.call(
    operations.createKey,
    { label: 'laptop', source: 'balance', ...input },
    { caller: session(agoMs) },
  )

test('403 fresh_signature_required: a session whose wallet signed too long ago makes no key, whatever it may spend', async () => {
  const refusal = { refusal: 'fresh_signature_required', details: { maxAgeSeconds: 900 } }
  for (const input of [{}, { dailyLimitUsd: '0.01' }, { source: 'compute' }]) {
    expect(await make(15 * MINUTE_MS + 1, input)).toEqual(refusal)
  }
  const { keys } = (await stage.services.call(
    operations.listKeys,
    {},
    { caller: session(60 * MINUTE_MS) },
  )) as OutputOf<typeof operations.listKeys>
  expect(keys).toEqual([])
})

test('a key is made within a quarter of an hour, and ended whenever', async () => {
  const made = await make(15 * MINUTE_MS)
  if (isRefusal(made)) expect.fail(made.refusal)
  expect(made).toMatchObject({ label: 'laptop', source: 'balance', key: expect.stringMatching(/^cb_router_/) })
  const ended = await stage.services.call(operations.deleteKey, { id: made.id }, { caller: session(60 * MINUTE_MS) })
  expect(isRefusal(ended)).toBe(false)
})

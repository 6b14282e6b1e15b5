import { listings as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf, openStage, type Stage } from './stage.ts'

/** More than one prober takes. */
const MANY = 300
const ACCOUNTS = 15

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ PROBE_WAIT_MS: '1000', PROBE_TIMEOUT_MS: '2000' })
})
afterAll(() => stage?.close())

test('a slow endpoint, probed for many accounts at once, leaves room for the probes of other sites', async () => {
  stage.provider.set('/slow', () => {})
  stage.provider.set('/quick', { payTo: wallet(1).address })
  const probe = (url: string, account: number) =>
    stage.services.call(operations.probe, { url }, { caller: keyOf(account) })
  const slow = Promise.allSettled(
    Array.from({ length: MANY }, (_, at) => probe(stage.provider.url('/slow'), at % ACCOUNTS)),
  )
  await until('the slow endpoint is called', () => stage.provider.calls('/slow') > 0)
  const elsewhere = stage.provider.url('/quick').replace('127.0.0.1', 'localhost')
  expect(granted(await probe(elsewhere, ACCOUNTS))).toMatchObject({ kind: 'x402' })
  await slow
})

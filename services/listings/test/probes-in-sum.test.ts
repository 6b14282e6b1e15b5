import { listings as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, goLive, keyOf, openStage, publishAs, type Stage } from './stage.ts'

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

test('rate_limited: whatever probes an origin that is busy for longer than PROBE_WAIT_MS', async () => {
  const slug = await goLive(stage, 1, 'Busy')
  const draft = await goLive(stage, 2, 'Draft')
  for (const action of ['suspend', 'revise'] as const) granted(await act(stage, 2, draft, action))
  await stage.database.query(
    `insert into liveness_prober.origin (origin, next_due_at, lease, leased_until)
     values ($1, now() + interval '1 hour', 'another', now() + interval '1 hour')
     on conflict (origin) do update set lease = excluded.lease, leased_until = excluded.leased_until`,
    [new URL(stage.provider.url('/')).origin],
  )
  const url = stage.provider.url('/busy')
  const sold = { method: 'GET', url, name: 'Quote', description: '', metadataEvidence: 'none' } as const
  const answers = [
    stage.services.call(operations.probe, { url }, { caller: keyOf(1) }),
    stage.services.call(operations.resync, { slug }),
    stage.services.call(
      operations.replace,
      { slug: draft, category: 'data', operations: [sold] },
      { caller: keyOf(2) },
    ),
    act(stage, 2, draft, 'activate'),
    publishAs(stage, 3, { name: 'Another', urls: [url] }),
  ]
  const refused = { refusal: 'rate_limited', retryAfterSeconds: 1 }
  for (const answer of answers) expect(await answer).toMatchObject(refused)
})

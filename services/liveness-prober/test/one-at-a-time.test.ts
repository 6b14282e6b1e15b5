import { livenessProber as operations } from '@callboard/contract'
import { type TestServices, until } from '@callboard/testkit'
import { expect, test } from 'vitest'
import type { ProberContext } from '../src/context.ts'
import { leaseOrigin } from '../src/store/origin.repository.ts'
import { paywall } from './offers.ts'
import { completed, publishChanged } from './sources.ts'
import { stage } from './stage.ts'

const prober = stage({ PROBE_TIMEOUT_MS: '2000' })
const AT_FULL_PACE = { PROBE_INTERVAL_MS: '100', PROBE_BACKOFF_MAX_MS: '100' }

/** A slow paywall that counts how many requests it has at once. */
async function slowPaywall(ms: number) {
  const seen = { now: 0, most: 0, calls: 0 }
  const { origin } = await prober.serve((req, res) => {
    seen.now += 1
    seen.calls += 1
    seen.most = Math.max(seen.most, seen.now)
    setTimeout(() => {
      seen.now -= 1
      paywall()(req, res)
    }, ms)
  })
  return { origin, seen }
}

const leftOrigins = () => prober.database.query('select origin from liveness_prober.origin')

test('no origin gets two probes at once, neither from two replicas nor on demand next to the schedule', async () => {
  const replicas = [await prober.startReplica(AT_FULL_PACE), await prober.startReplica(AT_FULL_PACE)] as const
  const { origin, seen } = await slowPaywall(10)
  await publishChanged(replicas[0], 'shared', [`${origin}/1`, `${origin}/2`])
  const onDemand = Array.from({ length: 8 }, (_, at) =>
    (replicas[at % 2] ?? replicas[0]).call(operations.probe, { url: `${origin}/${at}` }),
  )
  expect(await Promise.all(onDemand)).toEqual(onDemand.map(() => expect.objectContaining({ state: 'ok_402' })))
  await until('the schedule goes on', async () => (await completed(prober.database, 'shared')).length >= 10)
  expect(seen.most).toBe(1)
})

test('a check that takes longer than PROBE_LEASE_MS keeps its origin, because its lease is extended meanwhile', async () => {
  const env = { PROBE_INTERVAL_MS: '2000', PROBE_LEASE_MS: '1000', PROBE_TIMEOUT_MS: '5000' }
  const replicas = [await prober.startReplica(env), await prober.startReplica(env)] as const
  const { origin, seen } = await slowPaywall(1_200)
  await publishChanged(replicas[0], 'slow', [`${origin}/1`])
  await until('the visit is under way', () => seen.calls === 1)
  expect(await replicas[1].call(operations.probe, { url: `${origin}/2` })).toMatchObject({ state: 'ok_402' })
  await until('the schedule goes on', async () => (await completed(prober.database, 'slow')).length >= 2)
  expect(seen.most).toBe(1)
})

test.each([
  ['a visit', async (services: TestServices, url: string) => void (await publishChanged(services, 'taken', [url]))],
  [
    'a probe on demand',
    async (services: TestServices, url: string) => {
      const probe = services.call(operations.probe, { url })
      return () => expect(probe).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
    },
  ],
])('%s that loses its lease ends in the middle of its request, and stores nothing', async (_, begin) => {
  const services = await prober.startReplica({ PROBE_LEASE_MS: '1000', PROBE_TIMEOUT_MS: '20000' })
  const ended = Promise.withResolvers<void>()
  const { origin, connections } = await prober.serve((req) => void req.socket.once('close', () => ended.resolve()))
  const isRefused = await begin(services, `${origin}/1`)
  await until('the request is under way', () => connections() === 1)
  await prober.database.query(
    `update liveness_prober.origin set lease = 'another', leased_until = now() + interval '1 minute'`,
  )
  await ended.promise
  await isRefused?.()
  expect(await prober.database.query('select lease from liveness_prober.origin')).toEqual([{ lease: 'another' }])
  expect(await completed(prober.database, 'taken')).toEqual([])
})

test('a probe on demand does not wait for a whole origin with many endpoints: a visit makes way for it', async () => {
  const services = await prober.startReplica({ PROBE_WAIT_MS: '3000', PROBE_INTERVAL_MS: '60000' })
  // A visit makes way after half of that time, and all of this one takes longer than both.
  const { origin, seen } = await slowPaywall(400)
  const urls = Array.from({ length: 12 }, (_, at) => `${origin}/${at}`)
  await publishChanged(services, 'many', urls)
  await until('the visit is under way', () => seen.calls > 0)
  expect(await services.call(operations.probe, { url: `${origin}/asked` })).toMatchObject({ state: 'ok_402' })
  expect((await completed(prober.database, 'many')).length).toBeLessThan(urls.length)
  await until('the schedule goes on', async () => (await completed(prober.database, 'many')).length === urls.length)
  expect([seen.most, seen.calls]).toEqual([1, urls.length + 1])
})

test('rate_limited: an origin that stays busy longer than PROBE_WAIT_MS is not called, and may be requested again', async () => {
  const services = await prober.startReplica({ PROBE_WAIT_MS: '100' })
  const { origin, seen } = await slowPaywall(600)
  const first = services.call(operations.probe, { url: `${origin}/1` })
  await until('the first is under way', () => seen.calls === 1)
  expect(await services.call(operations.probe, { url: `${origin}/2` })).toMatchObject({
    refusal: 'rate_limited',
    retryAfterSeconds: 1,
  })
  expect(seen.calls).toBe(1)
  expect(await first).toMatchObject({ state: 'ok_402' })
  expect(await services.call(operations.probe, { url: `${origin}/2` })).toMatchObject({ state: 'ok_402' })
})

test('an origin that is not watched leaves nothing behind, even if the replica that probed it died', async () => {
  const services = await prober.startReplica()
  const { origin } = await slowPaywall(0)
  await services.call(operations.probe, { url: origin })
  expect(await leftOrigins()).toEqual([])
  const { db } = services.contexts.get('liveness-prober') as unknown as ProberContext
  const dead = { origin: 'http://gone.example', token: 'dead' }
  expect(await leaseOrigin(db, dead, { now: Date.now(), leaseMs: 200 })).toBe(true)
  await until('the schedule has removed it', async () => (await leftOrigins()).length === 0)
})

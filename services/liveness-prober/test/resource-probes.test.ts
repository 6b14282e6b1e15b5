import type { DataOf, resourceProbed } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { expect, test } from 'vitest'
import { PAY_TO, paywall } from './offers.ts'
import { askForProbe as ask, completed, publishChanged } from './sources.ts'
import { stage } from './stage.ts'

const prober = stage({ PROBE_TIMEOUT_MS: '500' })

const answers = (count: number) =>
  until(`${count} answers`, async () => {
    const rows = await prober.database.query<{ data: DataOf<typeof resourceProbed> }>(
      `select data from liveness_prober.outbox where name = 'resource.probed.v1' order by sequence`,
    )
    return rows.length >= count && rows.map(({ data }) => data)
  })

const waiting = async () => (await prober.database.query('select url from liveness_prober.resource_probe')).length
const origins = async () => (await prober.database.query('select origin from liveness_prober.origin')).length

test('a resource is probed once, and its own offer is published', async () => {
  const services = await prober.startReplica()
  const { origin } = await prober.serve(paywall())
  await ask(services, `${origin}/quote`, 'one')
  const [answer] = await answers(1)
  expect(answer).toMatchObject({
    url: `${origin}/quote`,
    probeId: 'one',
    state: 'ok_402',
    offer: { resource: `${origin}/quote`, description: 'A quote', accepts: [{ payTo: PAY_TO, payable: true }] },
  })
  await until('nothing is left of it', async () => (await waiting()) === 0 && (await origins()) === 0)
})

test('a request that is delivered twice is answered once, by one of two replicas', async () => {
  const [first, second] = [await prober.startReplica(), await prober.startReplica()]
  let requests = 0
  const pay = paywall()
  const { origin } = await prober.serve((req, res) => {
    requests += 1
    pay(req, res)
  })
  await Promise.all([ask(first, `${origin}/quote`, 'one'), ask(second, `${origin}/quote`, 'one')])
  await answers(1)
  await ask(second, `${origin}/other`, 'two')
  expect((await answers(2)).map(({ probeId }) => probeId)).toEqual(['one', 'two'])
  expect(requests).toBe(2)
})

test('the checks of a listing at the same origin continue', async () => {
  const services = await prober.startReplica()
  const { origin, connections } = await prober.serve(paywall())
  await publishChanged(services, 'alpha', [`${origin}/quote`])
  await ask(services, `${origin}/paid`, 'one')
  await answers(1)
  await until('the listing is checked', async () => (await completed(prober.database, 'alpha')).length > 0)
  expect(await origins()).toBe(1)
  expect(connections()).toBeLessThanOrEqual(2)
})

test('only GET and POST are sent to a provider that did not ask for a probe', async () => {
  const services = await prober.startReplica()
  const methods: (string | undefined)[] = []
  const { origin } = await prober.serve((req, res) => {
    methods.push(req.method)
    res.writeHead(405, { allow: 'DELETE' }).end()
  })
  await ask(services, `${origin}/account`, 'one')
  const [answer] = await answers(1)
  expect(answer).toMatchObject({ state: 'method_refused', offer: null })
  expect(methods).toEqual(['GET'])
})

test('a resource that is unreachable, or leads to an address that is not probed, is published only as a state', async () => {
  const services = await prober.startReplica()
  const { origin, close } = await prober.serve(paywall())
  await close()
  await ask(services, `${origin}/quote`, 'one')
  expect(await answers(1)).toEqual([expect.objectContaining({ state: 'unreachable', offer: null })])
  await ask(services, 'http://10.0.0.1/quote', 'two')
  expect((await answers(2))[1]).toMatchObject({ state: 'refused_target', offer: null })
})

test('an origin that limits one call after another is left alone, and the requested probes wait', async () => {
  const services = await prober.startReplica()
  const { origin } = await prober.serve((_req, res) => void res.writeHead(429, { 'retry-after': '600' }).end())
  // Held by another replica until all of them wait, so that one visit takes them together.
  await prober.database.query(
    `insert into liveness_prober.origin values ($1, now(), 'held', now() + interval '1 hour')`,
    [origin],
  )
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((path) => ask(services, `${origin}/${path}`, path)))
  await until('all of them wait', async () => (await waiting()) === 5)
  // Notifies, as a replica that gives an origin back does; otherwise the schedule would sleep for an hour.
  await prober.database.query(
    `with free as (update liveness_prober.origin set leased_until = now() returning 1)
     select pg_notify('origins_liveness_prober', '') from free`,
  )
  expect((await answers(3))[0]).toMatchObject({ state: 'rate_limited', offer: null })
  await until('the visit is over', async () => {
    const [row] = await prober.database.query(
      `select next_due_at > now() + interval '1 minute' as rests, coalesce(leased_until <= now(), true) as is_free
       from liveness_prober.origin`,
    )
    return row?.rests === true && row.is_free === true
  })
  expect([(await answers(3)).length, await waiting()]).toEqual([3, 2])
})

test('a resource that limits its calls does not keep the others of its origin from being probed', async () => {
  const services = await prober.startReplica()
  const { origin } = await prober.serve((req, res) =>
    req.url === '/busy' ? void res.writeHead(429, { 'retry-after': '86400' }).end() : paywall()(req, res),
  )
  await publishChanged(services, 'busy', [`${origin}/busy`])
  await ask(services, `${origin}/busy`, 'one')
  await ask(services, `${origin}/quote`, 'two')
  const states = (await answers(2)).map(({ probeId, state }) => `${probeId} ${state}`).sort()
  expect(states).toEqual(['one rate_limited', 'two ok_402'])
})

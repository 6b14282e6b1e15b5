import { livenessProber as operations } from '@callboard/contract'
import { type FakeClock, fakeClock, granted, type TestServices, until } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import { beforeEach, expect, test } from 'vitest'
import { PAY_TO, paywall } from './offers.ts'
import { completed, publishChanged, publishRemoved } from './sources.ts'
import { stage } from './stage.ts'

const prober = stage({ PROBE_TIMEOUT_MS: '500' })
const { serve } = prober
let clock: FakeClock

beforeEach(() => {
  clock = fakeClock()
})

const startReplica = (env: Record<string, string> = {}, held: FakeClock | null = clock) =>
  prober.startReplica(env, held ?? undefined)

async function targetsOf(services: TestServices, slug: string) {
  return granted(await services.call(operations.targets, { slug })).targets
}

const onAnotherSite = (origin: string) => origin.replace('127.0.0.1', 'localhost')

const checks = (slug: string, count: number) =>
  until(`${count} checks of ${slug}`, async () => {
    const events = await completed(prober.database, slug)
    return events.length >= count && events
  })

/** Advances the clock and waits for the next check. */
async function nextCheck(slug: string, afterMs = 11 * MINUTE_MS) {
  const before = (await completed(prober.database, slug)).length
  clock.advance(afterMs)
  return (await checks(slug, before + 1)).at(-1)
}

test('an endpoint of a live listing is checked at once, and then repeatedly', async () => {
  const services = await startReplica()
  const { origin } = await serve(paywall())
  await publishChanged(services, 'alpha', [`${origin}/quote`])
  const [first] = await checks('alpha', 1)
  expect(first).toMatchObject({
    url: `${origin}/quote`,
    state: 'ok_402',
    verdict: 'up',
    consecutiveDown: 0,
    accepts: [{ payable: true, payTo: PAY_TO }],
    liveness: { uptime7d: 1, checks7d: 1 },
  })
  expect(await nextCheck('alpha')).toMatchObject({ liveness: { uptime7d: 1, checks7d: 2 } })
  expect(await nextCheck('alpha')).toMatchObject({ liveness: { uptime7d: 1, checks7d: 3 } })
  const [target] = await targetsOf(services, 'alpha')
  expect(target).toMatchObject({ method: 'GET', state: 'ok_402', liveness: { checks7d: 3, uptime7d: 1 } })
  expect(target?.liveness.latencyP95Ms).toBeGreaterThan(0)
  const days = await prober.database.query('select checks, ok, neutral from liveness_prober.check_day')
  expect(days.reduce((sum, day) => sum + Number(day.checks), 0)).toBe(3)
})

test('origins of one site take an eighth of the visits, however slow they are: others are checked meanwhile', async () => {
  const services = await startReplica({ PROBE_CONCURRENCY: '8', PROBE_TIMEOUT_MS: '20000' }, null)
  const seen = { calls: 0 }
  for (let at = 0; at < 8; at += 1) {
    const { origin } = await serve(() => {
      seen.calls += 1
    })
    await publishChanged(services, `slow-${at}`, [`${origin}/quote`])
  }
  await until('one is called', () => seen.calls > 0)
  const { origin } = await serve(paywall())
  await publishChanged(services, 'quick', [`${onAnotherSite(origin)}/quote`])
  await checks('quick', 1)
  expect(seen.calls).toBe(1)
})

test('liveness is that of the whole listing, and downs in a row are the endpoint’s own', async () => {
  const services = await startReplica()
  let isUp = false
  const { origin } = await serve((req, res) =>
    req.url === '/good' || isUp ? paywall()(req, res) : res.writeHead(500).end(),
  )
  await publishChanged(services, 'mixed', [`${origin}/bad`, `${origin}/good`])
  const first = await checks('mixed', 2)
  expect(first.map(({ state, consecutiveDown }) => `${state} ${consecutiveDown}`).sort()).toEqual([
    'ok_402 0',
    'server_error 1',
  ])
  expect(first.at(-1)?.liveness).toMatchObject({ uptime7d: 0.5, checks7d: 2 })
  clock.advance(11 * MINUTE_MS)
  const second = await checks('mixed', 4)
  expect(
    second
      .slice(2)
      .map(({ consecutiveDown }) => consecutiveDown)
      .sort(),
  ).toEqual([0, 2])
  isUp = true
  clock.advance(11 * MINUTE_MS)
  const third = await checks('mixed', 6)
  expect(third.slice(4).map(({ consecutiveDown }) => consecutiveDown)).toEqual([0, 0])
})

test('several paths of an origin are checked over one connection', async () => {
  const services = await startReplica()
  const server = await serve(paywall())
  await publishChanged(
    services,
    'paths',
    ['/a', '/b', '/c', '/d'].map((path) => `${server.origin}${path}`),
  )
  await checks('paths', 4)
  expect(server.connections()).toBe(1)
})

test('an endpoint that hangs fails alone, and the others of the schedule continue', async () => {
  const services = await startReplica({ PROBE_CONCURRENCY: '2' })
  const hung = await serve(() => {})
  const good = await serve(paywall())
  await publishChanged(services, 'hung', [`${hung.origin}/1`, `${hung.origin}/2`])
  await publishChanged(services, 'good', [`${onAnotherSite(good.origin)}/quote`])
  expect((await checks('good', 1))[0]).toMatchObject({ state: 'ok_402' })
  expect(await completed(prober.database, 'hung')).toEqual([])
  expect((await checks('hung', 2)).map(({ state }) => state)).toEqual(['timeout', 'timeout'])
})

test('a check that cannot be stored is not repeated at once, and the others continue', async () => {
  const services = await startReplica()
  await prober.database.query(`alter table liveness_prober.check_day add constraint no_poison check (slug <> 'poison')`)
  let calls = 0
  const poison = await serve((req, res) => {
    calls += 1
    paywall()(req, res)
  })
  const good = await serve(paywall())
  await publishChanged(services, 'poison', [`${poison.origin}/quote`])
  await until('the visit has failed', async () => {
    const [target] = await targetsOf(services, 'poison')
    return calls === 1 && Date.parse(String(target?.nextDueAt)) > clock.now()
  })
  await publishChanged(services, 'good', [`${good.origin}/quote`])
  await checks('good', 1)
  expect(calls).toBe(1)
  expect(await completed(prober.database, 'poison')).toEqual([])
})

test('a 429 counts neither way and rests its endpoint for at most a day; its neighbours are checked on time', async () => {
  const services = await startReplica()
  const calls: string[] = []
  const { origin } = await serve((req, res) => {
    calls.push(String(req.url))
    if (req.url === '/a') res.writeHead(429, { 'retry-after': String((7 * DAY_MS) / 1000) }).end()
    else paywall()(req, res)
  })
  const startedAt = clock.now()
  await publishChanged(services, 'busy', [`${origin}/a`])
  const [event] = await checks('busy', 1)
  expect(event).toMatchObject({ state: 'rate_limited', verdict: 'neutral', consecutiveDown: 0 })
  expect(event?.liveness).toEqual({ uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 })
  const [busy] = await targetsOf(services, 'busy')
  expect(Date.parse(String(busy?.nextDueAt))).toBe(startedAt + DAY_MS)

  await publishChanged(services, 'good', [`${origin}/b`, `${origin}/c`])
  for (let count = 2; count <= 8; count += 2) {
    expect((await checks('good', count)).at(-1)).toMatchObject({ state: 'ok_402' })
    const dueAt = (await targetsOf(services, 'good')).map(({ nextDueAt }) => Date.parse(nextDueAt) - clock.now())
    expect(Math.max(...dueAt)).toBeLessThanOrEqual(10 * MINUTE_MS)
    clock.advance(11 * MINUTE_MS)
  }
  expect(calls.filter((path) => path === '/a')).toHaveLength(1)
  clock.advance(DAY_MS)
  await checks('busy', 2)
})

test('Retry-After as an HTTP date is respected, but not from an endpoint that asks for payment', async () => {
  const services = await startReplica()
  const restUntil = Math.floor(clock.now() / 1000) * 1000 + 2 * HOUR_MS
  const { origin } = await serve((req, res) => {
    res.setHeader('retry-after', new Date(restUntil).toUTCString())
    if (req.url === '/busy') res.writeHead(429).end()
    else paywall()(req, res)
  })
  await publishChanged(services, 'dated', [`${origin}/busy`])
  await publishChanged(services, 'paid', [`${origin}/paid`])
  await Promise.all([checks('dated', 1), checks('paid', 1)])
  const [[dated], [paid]] = [await targetsOf(services, 'dated'), await targetsOf(services, 'paid')]
  expect(Date.parse(String(dated?.nextDueAt))).toBe(restUntil)
  expect(Date.parse(String(paid?.nextDueAt)) - clock.now()).toBeLessThanOrEqual(10 * MINUTE_MS)
})

test('an origin where one endpoint after another answers 429 rests for one interval, then the others come next', async () => {
  const services = await startReplica()
  const calls: string[] = []
  const { origin } = await serve((req, res) => {
    calls.push(String(req.url))
    res.writeHead(429, { 'retry-after': '86400' }).end()
  })
  const paths = ['/1', '/2', '/3', '/4', '/5']
  await publishChanged(
    services,
    'limited',
    paths.map((path) => `${origin}${path}`),
  )
  await checks('limited', 3)
  const rests = (await targetsOf(services, 'limited')).map(({ nextDueAt }) => Date.parse(nextDueAt) - clock.now())
  expect(rests.sort((a, b) => a - b)).toEqual([5 * MINUTE_MS, 5 * MINUTE_MS, DAY_MS, DAY_MS, DAY_MS])
  expect(calls).toHaveLength(3)
  clock.advance(5 * MINUTE_MS)
  await checks('limited', 5)
  expect([...calls].sort()).toEqual(paths)
})

test('endpoints that limit their calls come after those that are up, however long ago they were checked', async () => {
  const services = await startReplica()
  const calls: string[] = []
  const { origin } = await serve((req, res) => {
    calls.push(String(req.url))
    if (req.url === '/z') paywall()(req, res)
    else res.writeHead(429).end()
  })
  await publishChanged(
    services,
    'limits',
    ['/a', '/b', '/c'].map((path) => `${origin}${path}`),
  )
  await checks('limits', 3)
  await publishChanged(services, 'up', [`${origin}/z`])
  await checks('up', 1)
  clock.advance(HOUR_MS)
  await Promise.all([checks('limits', 6), checks('up', 2)])
  expect(calls.slice(4)).toHaveLength(4)
  expect(calls[4]).toBe('/z')
})

test('a dead host is checked less and less often', async () => {
  const services = await startReplica()
  const { origin } = await serve((req) => req.socket.destroy())
  await publishChanged(services, 'dead', [`${origin}/quote`])
  await checks('dead', 1)
  const gaps: number[] = []
  for (let check = 2; check <= 7; check += 1) {
    const [before] = await targetsOf(services, 'dead')
    gaps.push(Date.parse(String(before?.nextDueAt)) - clock.now())
    expect(await nextCheck('dead', gaps.at(-1))).toMatchObject({ consecutiveDown: check, verdict: 'down' })
  }
  expect(gaps[5]).toBeGreaterThan(3.5 * 5 * MINUTE_MS)
})

test('an outage lowers the uptime by as long as it lasts, although fewer and fewer checks are made', async () => {
  const services = await startReplica()
  let isUp = true
  const { origin } = await serve((req, res) => (isUp ? paywall()(req, res) : res.writeHead(500).end()))
  await publishChanged(services, 'outage', [`${origin}/quote`])
  await checks('outage', 1)
  await prober.database.query('update liveness_prober.check_day set checks = 288, ok = 288')
  isUp = false
  const startedAt = clock.now()
  while (clock.now() < startedAt + DAY_MS) {
    const [target] = await targetsOf(services, 'outage')
    await nextCheck('outage', Date.parse(String(target?.nextDueAt)) - clock.now())
  }
  const [target] = await targetsOf(services, 'outage')
  const shareUp = DAY_MS / (DAY_MS + clock.now() - startedAt)
  expect(Math.abs((target?.liveness.uptime7d ?? 1) - shareUp)).toBeLessThan(0.03)
  expect(target?.liveness.checks7d).toBeLessThan(310)
}, 60_000)

test('an endpoint that is gone or no longer live is not watched, and a stale snapshot changes nothing', async () => {
  const services = await startReplica()
  const { origin } = await serve(paywall())
  await publishChanged(services, 'fading', [`${origin}/a`, `${origin}/b`], { version: 2 })
  await checks('fading', 2)
  await publishChanged(services, 'fading', [`${origin}/b`], { version: 3 })
  expect((await targetsOf(services, 'fading')).map(({ url }) => url)).toEqual([`${origin}/b`])
  await publishChanged(services, 'fading', [`${origin}/a`, `${origin}/b`], { version: 2 })
  expect(await targetsOf(services, 'fading')).toHaveLength(1)
  await publishChanged(services, 'fading', [`${origin}/b`], { version: 4, status: 'suspended' })
  expect(await targetsOf(services, 'fading')).toEqual([])
  await publishChanged(services, 'fading', [`${origin}/b`], { version: 5 })
  expect(await targetsOf(services, 'fading')).toHaveLength(1)
  await publishRemoved(services, 'fading', 6)
  expect(await targetsOf(services, 'fading')).toEqual([])
})

test('a listing of which only the words changed keeps its schedule', async () => {
  const services = await startReplica()
  const { origin } = await serve(paywall())
  await publishChanged(services, 'renamed', [`${origin}/quote`])
  await checks('renamed', 1)
  const before = await targetsOf(services, 'renamed')
  await publishChanged(services, 'renamed', [`${origin}/quote`], { version: 2, name: 'Renamed' })
  expect(await targetsOf(services, 'renamed')).toEqual(before)
})

test('two replicas never visit one origin at once, and no check is counted twice', async () => {
  const pace = { PROBE_INTERVAL_MS: '100', PROBE_BACKOFF_MAX_MS: '100' }
  const replicas = [await startReplica(pace, null), await startReplica(pace, null)]
  let inFlight = 0
  let most = 0
  let calls = 0
  const server = await serve((req, res) => {
    inFlight += 1
    calls += 1
    most = Math.max(most, inFlight)
    setTimeout(() => {
      inFlight -= 1
      paywall()(req, res)
    }, 10)
  })
  const [first] = replicas
  if (!first) throw new Error('no replica')
  await publishChanged(
    first,
    'shared',
    ['/1', '/2', '/3'].map((path) => `${server.origin}${path}`),
  )
  await checks('shared', 30)
  await prober.stopReplicas()
  expect(most).toBe(1)
  const events = await completed(prober.database, 'shared')
  const [day] = await prober.database.query('select sum(checks)::int as checks from liveness_prober.check_day')
  expect(day?.checks).toBe(events.length)
  // A visit that was interrupted may have called without counting.
  expect(calls - events.length).toBeLessThanOrEqual(2)
})

test('the origin of a replica that died is visited again, but not before its lease has expired', async () => {
  const services = await startReplica()
  const { origin } = await serve(paywall())
  const [lease] = await prober.database.query(
    `insert into liveness_prober.origin
     values ($1, now() - interval '1 hour', 'dead', now() + interval '1 second') returning leased_until`,
    [origin],
  )
  await publishChanged(services, 'orphan', [`${origin}/quote`])
  await checks('orphan', 1)
  expect(await prober.database.query('select now() >= $1::timestamptz as ended', [lease?.leased_until])).toEqual([
    { ended: true },
  ])
})

test('a cluster refuses to start with loopback allowed', async () => {
  const env = { DEVNET: '', RPC_URLS: '{"eip155:8453":["https://rpc.example"]}' }
  await expect(startReplica(env)).rejects.toThrow('PROBE_ALLOW_LOOPBACK: is for the devnet only')
  await expect(startReplica({ ...env, PROBE_ALLOW_LOOPBACK: 'false' })).resolves.toBeDefined()
})

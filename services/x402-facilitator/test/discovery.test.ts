import {
  type DataOf,
  eventName,
  type FacilitatorRequest,
  type InputOf,
  x402Facilitator as operations,
  type ProbedResource,
  type probeRequested,
  resourceProbed,
} from '@callboard/contract'
import {
  type FakeClock,
  fakeClock,
  granted,
  runOnce,
  startTestServices,
  type TestServices,
  until,
  wallet,
} from '@callboard/testkit'
import { type Address, DAY_MS, HOUR_MS, isoTime, MINUTE_MS, unixSeconds } from '@callboard/values'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { FacilitatorContext } from '../src/context.ts'
import { x402Facilitator } from '../src/index.ts'
import { sweepResources } from '../src/jobs/sweep-resources.ts'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

const SELLER = wallet(70).address
const ATTACKER = wallet(71).address

let exchange: Exchange
let clock: FakeClock
const running: TestServices[] = []
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
})
beforeEach(async () => {
  clock = fakeClock()
  services = await startReplica()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
  await exchange.database.query(
    'truncate x402_facilitator.discovered_resource, x402_facilitator.probe_asked, x402_facilitator.outbox cascade',
  )
})
afterAll(() => exchange.close())

async function startReplica(env: Record<string, string> = {}): Promise<TestServices> {
  const started = await startTestServices([x402Facilitator], {
    databaseUrl: exchange.database.url,
    clock,
    env: { ...exchange.env, DISCOVERY_POLL_MS: '20', ...env },
  })
  running.push(started)
  return started
}

/**
 * Buys from a URL; the payment makes arbitrary claims about it.
 * @param sentBy what submits the authorization before it is presented; default nothing
 */
async function bought(
  url: string,
  payTo: Address = SELLER,
  amount = 10_000n,
  sentBy: (signed: Signed) => Promise<unknown> = async () => {},
): Promise<void> {
  const signed = await exchange.pay(wallet(1), { payTo, amount, validBefore: unixSeconds(clock.now()) + 300 })
  await sentBy(signed)
  const { paymentPayload, ...rest } = signed
  const resource = { url, description: 'Said by the buyer', serviceName: 'Said by the buyer', tags: ['buyer'] }
  const extensions = { bazaar: { info: { input: { type: 'http', method: 'GET' } }, routeTemplate: '/:any' } }
  const request: FacilitatorRequest = { ...rest, paymentPayload: { ...paymentPayload, resource, extensions } }
  expect(await services.call(operations.settle, request)).toMatchObject({ success: true })
}

type Asked = DataOf<typeof probeRequested>

const allAsked = async () =>
  (
    await exchange.database.query<{ data: Asked }>(
      `select data from x402_facilitator.outbox where name = 'probe.requested.v1' order by sequence`,
    )
  ).map(({ data }) => data)

/** The requests for probes, once there are this many. */
const asked = (count: number) =>
  until(`${count} probes are asked for`, async () => {
    const requests = await allAsked()
    return requests.length >= count && requests
  })

async function lastAsked(count: number): Promise<Asked> {
  const last = (await asked(count)).at(-1)
  if (!last) throw new Error('no probe was asked for')
  return last
}

const offered = (url: string, more: Partial<ProbedResource> & { payTo?: Address } = {}): ProbedResource => {
  const { payTo = SELLER, ...claims } = more
  const entry = { ...exchange.requirement({ payTo }), payable: true, notPayableReason: null }
  return { resource: url, type: 'http', x402Version: 2, accepts: [entry], ...claims }
}

let sequence = 0

/** Answers a request as the prober does. */
async function answer({ url, probeId }: Asked, met: Partial<DataOf<typeof resourceProbed>> = {}): Promise<void> {
  const checkedAt = isoTime(clock.now())
  sequence += 1
  await services.bus.events.publish({
    id: `answer-${sequence}`,
    name: eventName(resourceProbed),
    key: url,
    sequence,
    source: 'liveness-prober',
    occurredAt: checkedAt,
    data: { url, probeId, state: 'ok_402', checkedAt, offer: offered(url), ...met },
  })
}

const gone = { state: 'blocked_before_gate', offer: null } as const
const unavailable = { state: 'timeout', offer: null } as const

async function list(filter: Partial<InputOf<typeof operations.discoveryResources>> = {}) {
  return granted(await services.call(operations.discoveryResources, { limit: 20, offset: 0, ...filter }))
}

async function search(query: string, filter: Partial<InputOf<typeof operations.discoverySearch>> = {}) {
  return granted(await services.call(operations.discoverySearch, { limit: 20, ...filter, query }))
}

const listed = async () => (await list()).items.map(({ resource }) => resource)

/** Why a URL is not listed; null while it is. */
async function because(url: string): Promise<string | null | undefined> {
  const [row] = await exchange.database.query<{ unlisted_because: string | null }>(
    'select unlisted_because from x402_facilitator.discovered_resource where url = $1',
    [url],
  )
  return row?.unlisted_because
}

const becomes = (url: string, reason: string | null) =>
  until(`${url} becomes ${reason}`, async () => (await because(url)) === reason)

/** Buys from a URL and answers its probe, so that it is listed. */
async function nowListed(url: string, claims: Parameters<typeof offered>[1] = {}): Promise<void> {
  const before = (await allAsked()).length
  await bought(url, claims.payTo)
  await answer(await lastAsked(before + 1), { offer: offered(url, claims) })
  await becomes(url, null)
}

describe('a resource that a payment names', () => {
  const URL = 'https://sky.example/now'

  test('is not listed before its first probe, and that probe is requested once', async () => {
    await bought(`${URL}?city=oslo`)
    await bought(URL)
    expect(await asked(1)).toEqual([expect.objectContaining({ url: URL })])
    clock.advance(30 * MINUTE_MS)
    await bought('https://other.example/')
    expect((await asked(2)).map(({ url }) => url)).toEqual([URL, 'https://other.example/'])
    expect(await because(URL)).toBe('not_probed')
    expect(await listed()).toEqual([])
  })

  test('is listed as its own offer describes it, not as a buyer does', async () => {
    const extensions = { bazaar: { info: { input: { type: 'http', method: 'GET' } } } }
    const claims = { description: 'The weather now', serviceName: 'Sky', tags: ['weather'], extensions }
    await nowListed(URL, { ...claims, mimeType: 'application/json', iconUrl: 'https://sky.example/icon.png' })
    const { items } = await list()
    expect(items).toEqual([
      {
        resource: URL,
        type: 'http',
        x402Version: 2,
        accepts: [exchange.requirement({ payTo: SELLER })],
        lastUpdated: isoTime(clock.now()),
        ...claims,
        mimeType: 'application/json',
        iconUrl: 'https://sky.example/icon.png',
      },
    ])
    await bought(URL)
    expect((await list()).items).toEqual(items)
  })

  test('a payment below the minimum requests no probe', async () => {
    await bought('https://dust.example/', SELLER, 999n)
    await bought(URL, SELLER, 1_000n)
    expect((await asked(1)).map(({ url }) => url)).toEqual([URL])
    expect(await because('https://dust.example/')).toBeUndefined()
  })

  test('a payment that a third party had submitted names nothing: its authorization is public, and it was not paid through us', async () => {
    await bought('https://elsewhere.example/', SELLER, 10_000n, exchange.submit)
    await bought(URL)
    expect((await asked(1)).map(({ url }) => url)).toEqual([URL])
    expect(await because('https://elsewhere.example/')).toBeUndefined()
  })

  test('is not listed while its offer pays none of the payees that were paid for it', async () => {
    await bought(URL, ATTACKER)
    await answer(await lastAsked(1))
    await becomes(URL, 'pays_another')
    expect(await listed()).toEqual([])
  })

  test('is listed at the next payment to its payee, without another probe, if its offer was just read', async () => {
    await bought(URL, ATTACKER)
    await answer(await lastAsked(1))
    await becomes(URL, 'pays_another')
    await bought(URL)
    await becomes(URL, null)
    expect((await list()).items[0]?.accepts).toEqual([exchange.requirement({ payTo: SELLER })])
    expect(await allAsked()).toHaveLength(1)
  })

  test('a payee that a payment adds to a listed resource does not appear in the listing', async () => {
    await nowListed(URL)
    const before = await list()
    await bought(URL, ATTACKER)
    clock.advance(HOUR_MS)
    await answer(await lastAsked(2))
    await until('its terms are forgotten', async () => {
      const terms = await exchange.database.query('select pay_to from x402_facilitator.settled_terms')
      return terms.length === 1
    })
    expect((await list({ payTo: ATTACKER })).items).toEqual([])
    expect((await list()).items[0]?.accepts).toEqual(before.items[0]?.accepts)
  })

  test('only the answer to the newest request counts, and only once', async () => {
    await bought(URL)
    const first = await lastAsked(1)
    clock.advance(HOUR_MS)
    const second = await lastAsked(2)
    await answer(first)
    await answer(second, gone)
    await becomes(URL, 'no_offer')
    expect(await listed()).toEqual([])
  })
})

describe('a listed resource', () => {
  const URL = 'https://sky.example/now'

  test('is probed again each interval, and is delisted with the reason once it is gone', async () => {
    await nowListed(URL)
    clock.advance(HOUR_MS)
    await answer(await lastAsked(2))
    clock.advance(HOUR_MS)
    await answer(await lastAsked(3), gone)
    await becomes(URL, 'no_offer')
    expect(await listed()).toEqual([])
    clock.advance(DAY_MS)
    await bought('https://other.example/')
    expect((await asked(4)).at(-1)?.url).toBe('https://other.example/')
  })

  test('is delisted when it pays someone else', async () => {
    await nowListed(URL)
    clock.advance(HOUR_MS)
    await answer(await lastAsked(2), { offer: offered(URL, { payTo: ATTACKER }) })
    await becomes(URL, 'pays_another')
    expect(await listed()).toEqual([])
  })

  test('stays listed unchanged through two temporary failures, and keeps its place when it comes back', async () => {
    await nowListed(URL, { description: 'First' })
    clock.advance(1)
    await nowListed('https://later.example/')
    for (const n of [1, 2]) {
      clock.advance(HOUR_MS)
      const requests = (await asked(2 + 2 * n)).slice(-2)
      for (const one of requests) await answer(one, one.url === URL ? unavailable : {})
    }
    expect(await listed()).toEqual([URL, 'https://later.example/'])
    clock.advance(HOUR_MS)
    for (const one of (await asked(8)).slice(-2)) await answer(one, one.url === URL ? unavailable : {})
    await becomes(URL, 'no_offer')
    await bought(URL)
    clock.advance(HOUR_MS)
    for (const one of (await asked(10)).slice(-2)) await answer(one)
    await becomes(URL, null)
    expect(await listed()).toEqual([URL, 'https://later.example/'])
  })

  test('a name is listed once, however many URLs it stands for', async () => {
    const template = 'https://sky.example/weather/:city'
    await nowListed('https://sky.example/weather/oslo', { resource: template })
    await bought('https://sky.example/weather/bern')
    await answer(await lastAsked(2), { offer: offered('', { resource: template }) })
    await becomes('https://sky.example/weather/bern', 'same_resource')
    expect(await listed()).toEqual([template])
  })
})

describe('the hourly probe quotas', () => {
  test('apply across sites, payees and replicas, and postpone what exceeds them', async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    const sums = { DISCOVERY_PROBES_PER_HOUR: '3', DISCOVERY_PROBES_PER_NAME: '2' }
    services = await startReplica(sums)
    await startReplica(sums)
    const paid: [url: string, payTo: Address][] = [
      ['https://one.example/1', wallet(72).address],
      ['https://one.example/2', wallet(73).address],
      ['https://one.example/3', wallet(74).address],
      ['https://two.example/', wallet(75).address],
      ['https://three.example/', wallet(76).address],
    ]
    for (const [url, payTo] of paid) await bought(url, payTo)
    await asked(3)
    const postponed = () =>
      exchange.database.query(
        'select url from x402_facilitator.discovered_resource where asked_at is null and due_at > $1',
        [new Date(clock.now())],
      )
    await until('the others wait', async () => (await postponed()).length === 2)
    const first = (await allAsked()).map(({ url }) => url)
    expect(first.filter((url) => url.startsWith('https://one.example/'))).toHaveLength(2)
    expect(first).toHaveLength(3)
    clock.advance(HOUR_MS + MINUTE_MS)
    await until('all were asked for', async () => new Set((await asked(5)).map(({ url }) => url)).size === 5)
  })

  test('apply to one site across its hosts, which cost nothing', async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    services = await startReplica({ DISCOVERY_PROBES_PER_NAME: '2' })
    for (const n of [1, 2, 3]) await bought(`https://${n}.party.example/`, wallet(71 + n).address)
    await bought('https://honest.example/')
    expect((await asked(3)).map(({ url }) => url)).toEqual([
      'https://1.party.example/',
      'https://2.party.example/',
      'https://honest.example/',
    ])
  })

  test('apply to one payee across origins', async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    services = await startReplica({ DISCOVERY_PROBES_PER_NAME: '2' })
    for (const n of [1, 2, 3]) await bought(`https://${n}.example/`, ATTACKER)
    await bought('https://honest.example/')
    expect((await asked(3)).map(({ url }) => url)).toEqual([
      'https://1.example/',
      'https://2.example/',
      'https://honest.example/',
    ])
  })
})

describe('a site', () => {
  const onSite = (n: number) => `https://${n}.party.example/`

  test('lists no more than its limit; a further resource is listed once another is no longer', async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    services = await startReplica({ DISCOVERY_PER_SITE: '2' })
    await nowListed(onSite(1))
    await nowListed(onSite(2))
    await bought(onSite(3))
    await answer(await lastAsked(3))
    await becomes(onSite(3), 'site_full')
    await nowListed('https://honest.example/')
    expect((await listed()).toSorted()).toEqual([onSite(1), onSite(2), 'https://honest.example/'])
    clock.advance(HOUR_MS)
    const again = (await asked(7)).slice(-3)
    for (const one of again) await answer(one, one.url === onSite(1) ? gone : {})
    await becomes(onSite(1), 'no_offer')
    await bought(onSite(3))
    await answer(await lastAsked(8))
    await becomes(onSite(3), null)
  })

  test('fills no place with URLs that others name and it does not sell', async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    services = await startReplica({ DISCOVERY_PER_SITE: '1' })
    await bought(onSite(1), ATTACKER)
    await answer(await lastAsked(1))
    await becomes(onSite(1), 'pays_another')
    await bought(onSite(2))
    await answer(await lastAsked(2))
    await becomes(onSite(2), null)
  })
})

test('the offer of an unlisted resource is forgotten after a day, and of a listed one it stays', async () => {
  const [sold, unsold] = ['https://sold.example/', 'https://unsold.example/']
  await nowListed(sold)
  await bought(unsold, ATTACKER)
  await answer(await lastAsked(2))
  await becomes(unsold, 'pays_another')
  const read = async () =>
    (
      await exchange.database.query<{ url: string }>(
        'select url from x402_facilitator.discovered_resource where accepts is not null order by url',
      )
    ).map(({ url }) => url)
  const context = services.contexts.get('x402-facilitator') as FacilitatorContext
  await runOnce(sweepResources, context)
  expect(await read()).toEqual([sold, unsold])
  clock.advance(DAY_MS + 1)
  await runOnce(sweepResources, context)
  expect(await read()).toEqual([sold])
  await bought(unsold)
  const named = await until(
    'it is asked for again',
    async () => (await allAsked()).filter(({ url }) => url === unsold)[1],
  )
  await answer(named)
  await becomes(unsold, null)
})

test('metrics show how many resources are in each state', async () => {
  await nowListed('https://one.example/')
  await bought('https://two.example/')
  const text = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
  expect(text).toMatch(/callboard_discovery_resources\{[^}]*state="listed"[^}]*\} 1/)
  expect(text).toMatch(/callboard_discovery_resources\{[^}]*state="unprobed"[^}]*\} 1/)
  expect(text).toContain('callboard_discovery_oldest_due_seconds')
})

describe('discoveryResources', () => {
  test('filters and pages, oldest listing first', async () => {
    for (const page of [1, 2, 3]) {
      await nowListed(`https://many.example/${page}`, page === 2 ? { type: 'mcp', extensions: { bazaar: {} } } : {})
      clock.advance(1)
    }
    const { pagination, items } = await list({ payTo: SELLER, limit: 2, offset: 1 })
    expect(pagination).toEqual({ limit: 2, offset: 1, total: 3 })
    expect(items.map(({ resource }) => resource)).toEqual(['https://many.example/2', 'https://many.example/3'])
    expect((await list({ type: 'mcp' })).pagination.total).toBe(1)
    expect((await list({ extensions: 'bazaar' })).pagination.total).toBe(1)
    expect((await list({ scheme: 'exact', network: exchange.network, payTo: SELLER })).pagination.total).toBe(3)
    expect((await list({ network: 'eip155:8453' })).items).toEqual([])
    expect((await list({ scheme: 'upto' })).items).toEqual([])
    expect((await list({ payTo: ATTACKER })).items).toEqual([])
  })
})

/** A cursor whose position was changed by its holder. */
const altered = (cursor: string, place: object): string =>
  Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(cursor, 'base64url').toString()), ...place })).toString(
    'base64url',
  )

describe('discoverySearch', () => {
  const found = async (query: string, filter = {}) =>
    (await search(query, filter)).resources.map(({ resource }) => resource)

  beforeEach(async () => {
    await nowListed('https://sky.example/now', { description: 'Weather forecasts for cities', serviceName: 'Sky' })
    await nowListed('https://fx.example/rates', { description: 'Exchange rates of currencies', tags: ['finance'] })
    await nowListed('https://maps.example/weather', { description: 'Maps of cities' })
  })

  test('matches words in any form; ranks resources with all of them first, then name, description and path', async () => {
    expect(await found('city weather')).toEqual(['https://sky.example/now', 'https://maps.example/weather'])
    expect(await found('weather currency forecast')).toEqual([
      'https://sky.example/now',
      'https://fx.example/rates',
      'https://maps.example/weather',
    ])
    expect(await found('finance')).toEqual(['https://fx.example/rates'])
    expect(await found('the')).toEqual([])
    expect(await found(`'); drop table "x" & | ! <-> :* --`)).toEqual([])
  })

  test('what is not listed is not found', async () => {
    await bought('https://weather.example/')
    await asked(4)
    expect(await found('weather', { payTo: ATTACKER })).toEqual([])
    expect(await found('weather')).toHaveLength(2)
  })

  test('a cursor continues where the page ended, and is valid only for its question', async () => {
    const first = await search('cities', { limit: 1 })
    expect(first).toMatchObject({ partialResults: true, pagination: { limit: 1, cursor: expect.any(String) } })
    const cursor = first.pagination?.cursor ?? ''
    const second = await search('cities', { limit: 1, cursor })
    expect(second).toMatchObject({ partialResults: false, pagination: { limit: 1, cursor: null } })
    expect(new Set([...first.resources, ...second.resources].map(({ resource }) => resource)).size).toBe(2)
    for (const [query, wrong] of [
      ['weather', cursor],
      ['cities', 'nonsense'],
      ['cities', Buffer.from('{"question":7}').toString('base64url')],
      ['cities', altered(cursor, { resource: 'https://sky.example/\0' })],
    ] as const) {
      const refused = await services.call(operations.discoverySearch, { query, limit: 1, cursor: wrong })
      expect(refused).toMatchObject({ refusal: 'invalid_request', field: 'cursor' })
    }
  })
})

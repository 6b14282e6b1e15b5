import type { DiscoveryItem } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../test/support/listed.ts'
import { discoveryItem } from './card.ts'
import type { Filters } from './filters.ts'
import { invokeHref } from './invoke-link.ts'
import type { DirectoryListing, ListedSnapshot } from './listed.ts'

const KEY = 'a key that is long enough for a test'
const itemOf = (one: DirectoryListing, filters?: Filters): DiscoveryItem => discoveryItem(one, KEY, filters)
const itemWith = (snapshot: Partial<ListedSnapshot>, mpp: readonly number[] = [], network?: string) =>
  itemOf(listed(snapshot, { mpp }), { network })

test('a listing is shown as its card and the call of one endpoint', () => {
  const url = 'https://api.example/ask'
  expect(itemOf(listed())).toEqual({
    ref: 'answers',
    card: {
      title: 'Answers',
      summary: 'Answers questions',
      byline: 'api.example',
      badges: [{ code: 'verified', label: 'Verified' }],
      facts: [
        { label: 'price', value: '$0.01' },
        { label: 'network', value: 'eip155:8453' },
        { label: 'method', value: 'GET' },
        { label: 'uptime', value: '50% in 7 days (3 checks)' },
      ],
    },
    kind: 'api',
    provenance: 'self_listed',
    group: 'added',
    fee: { bps: 500, label: '5% network fee' },
    verification: 'verified',
    execution: { mode: 'direct', url, method: 'GET', network: 'eip155:8453', payable: true },
    action: {
      type: 'invoke_api',
      href: invokeHref(KEY, { url, method: 'GET', schema: '/api/calls/answers', network: 'eip155:8453' }),
    },
  })
})

test('a card says after how many checks, also after one', () => {
  const one = { ...listed(), liveness: { ...listed().liveness, uptime7d: 1, checks7d: 1 } }
  expect(itemOf(one).card.facts.at(-1)).toEqual({ label: 'uptime', value: '100% in 7 days (1 check)' })
})

test('a card says how often a listing was paid, once it has been paid', () => {
  const labels = (calls: number) => itemOf({ ...listed(), calls }).card.facts.filter(({ label }) => label === 'calls')
  expect(labels(0)).toEqual([])
  expect(labels(1_200)).toEqual([{ label: 'calls', value: '1,200+ in 30 days' }])
})

describe('the endpoint that is shown', () => {
  const at = (name: string, scheme: string, network: 'eip155:8453' | 'eip155:84532' = 'eip155:8453') =>
    pricedOperation({ url: `https://api.example/${name}`, payment: payment({ scheme, network }) })
  const shown = (operations: ListedSnapshot['operations'], mpp: readonly number[] = [], network?: string) =>
    itemWith({ operations }, mpp, network).execution

  test('is the first that can be paid', () => {
    const operations = [unreadOperation(), at('upto', 'upto'), at('first', 'exact'), at('second', 'exact')]
    expect(shown(operations)).toMatchObject({ url: 'https://api.example/first', mode: 'direct', payable: true })
  })

  test('is not one that last asked for MPP, which is identified by its index in the listing', () => {
    const operations = [unreadOperation(), at('first', 'exact'), at('second', 'exact')]
    expect(shown(operations, [1])).toMatchObject({ url: 'https://api.example/second', payable: true })
    expect(shown(operations, [0])).toMatchObject({ url: 'https://api.example/first', payable: true })
  })

  test('is the first with a price if none can be paid, and is then unavailable', () => {
    expect(shown([unreadOperation(), at('upto', 'upto'), at('second', 'upto')])).toMatchObject({
      url: 'https://api.example/upto',
      mode: 'unavailable',
      payable: false,
    })
    expect(shown([at('first', 'exact')], [0])).toMatchObject({ mode: 'unavailable', payable: false })
  })

  test('is on the network that was asked for', () => {
    const operations = [at('first', 'exact'), at('other', 'upto', 'eip155:84532'), at('last', 'exact', 'eip155:84532')]
    expect(shown(operations, [], 'eip155:84532')).toMatchObject({
      url: 'https://api.example/last',
      network: 'eip155:84532',
    })
    expect(shown(operations, [2], 'eip155:84532')).toMatchObject({
      url: 'https://api.example/other',
      mode: 'unavailable',
    })
  })

  test('error: a published listing without one is a bug', () => {
    expect(() => shown([unreadOperation()])).toThrow('Listing answers is shown without')
    expect(() => shown([at('first', 'exact')], [], 'eip155:1')).toThrow('as asked for')
  })
})

describe('the badges', () => {
  test.each<[Partial<ListedSnapshot>, readonly number[], string[]]>([
    [{ verification: 'none' }, [], []],
    [{ verification: 'requested' }, [], ['review_requested Review requested']],
    [{ group: 'svc' }, [], ['first_party By this service', 'verified Verified']],
    [{ group: 'external', verification: 'none' }, [], ['mirrored Mirrored']],
    [{ group: 'partner', verification: 'none' }, [0], ['mpp MPP']],
    [{ group: 'external' }, [0], ['mirrored Mirrored', 'verified Verified', 'mpp MPP']],
  ])('of %j with MPP at %j are %j', (snapshot, mpp, badges) => {
    expect(itemWith(snapshot, mpp).card.badges.map(({ code, label }) => `${code} ${label}`)).toEqual(badges)
  })

  test('do not say MPP for an endpoint other than the one that is shown', () => {
    expect(itemWith({ operations: [pricedOperation(), pricedOperation()] }, [0]).card.badges).toHaveLength(1)
  })
})

describe('the texts', () => {
  test.each([
    ['500 characters', 'é'.repeat(500), 'é'.repeat(500)],
    ['501 characters', 'é'.repeat(501), `${'é'.repeat(499)}…`],
    ['500 characters of two units', '\u{1f600}'.repeat(500), '\u{1f600}'.repeat(500)],
    ['501 characters of two units', '\u{1f600}'.repeat(501), `${'\u{1f600}'.repeat(499)}…`],
    ['nothing', '', ''],
  ])('the summary has at most 500 characters: %s', (_what, description, summary) => {
    expect(itemWith({ description }).card.summary).toBe(summary)
  })

  test('the byline is the host with its port, or the URL itself if it has no host', () => {
    const bylineOf = (url: string) => itemWith({ operations: [pricedOperation({ url })] }).card.byline
    expect(bylineOf('http://127.0.0.1:8402/ask')).toBe('127.0.0.1:8402')
    expect(bylineOf('/ask')).toBe('/ask')
  })
})

test('the endpoint that is shown matches all filters on its offer at once', () => {
  const other = '0x00000000000000000000000000000000000000aa' as const
  const operations = [
    pricedOperation({ url: 'https://api.example/dear', price: '2', payment: payment({ payTo: other }) }),
    pricedOperation({ url: 'https://api.example/cheap', price: '0.01' }),
    pricedOperation({ url: 'https://api.example/both', price: '0.02', payment: payment({ payTo: other }) }),
  ]
  const shown = itemOf(listed({ operations }), { payTo: other.toUpperCase().replace('0X', '0x'), maxPrice: '1' })
  expect(shown.execution.url).toBe('https://api.example/both')
  expect(shown.card.facts).toContainEqual({ label: 'price', value: '$0.02' })
})

test('uptime is a fact only if there were checks', () => {
  const liveness = { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 }
  expect(itemOf(listed({}, { liveness })).card.facts.map(({ label }) => label)).toEqual(['price', 'network', 'method'])
})

import { type CatalogueEntry, catalog, type DiscoveryItem, type InputOf, type InvokedCall } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { type Refusal, refuse } from '@callboard/values'
import { z } from 'zod'

const { activity, addressActivity, discovery, entry, readInvokeLink, stats } = catalog

/** What a hostile provider would write. */
export const HOSTILE = '<img src=x onerror=alert(1)>"&'

/** A link whose signature is taken for good. */
export const SIGNED =
  '/call/invoke?url=https%3A%2F%2Fa.example&method=GET&schema=%2Fapi%2Fcalls%2Fforecast&network=n&sig=good'

const item = (ref: string, title: string, more: Partial<DiscoveryItem['execution']> = {}): DiscoveryItem => ({
  ref,
  card: {
    title,
    summary: 'Hourly forecasts for any place on earth, out of four national models.',
    byline: 'api.weather.example',
    badges: [{ code: 'verified', label: 'Verified' }],
    facts: [
      { label: 'price', value: '$0.001' },
      { label: 'network', value: 'eip155:8453' },
    ],
  },
  kind: 'api',
  provenance: 'self_listed',
  group: 'added',
  fee: { bps: 500, label: '5%' },
  verification: 'verified',
  execution: {
    ...{ mode: 'direct', url: `https://api.weather.example/${ref}`, method: 'GET', network: 'eip155:8453' },
    ...{ payable: true, ...more },
  },
  action: { type: 'invoke_api', href: SIGNED },
})

/** A request to buy, which cannot be called. */
const WANTED: DiscoveryItem = {
  ...item('posting_0b0f4a52-6f0b-4b5e-9a57-1d0b2f5a7c11', `Wanted ${HOSTILE}`),
  kind: 'open_request',
  execution: {
    ...{ mode: 'unavailable', url: 'https://poster.example/wanted?a=b&c="', method: 'GET', network: 'eip155:8453' },
    payable: false,
  },
  action: { type: 'view_posting', href: '/api/call/postings/posting_0b0f4a52-6f0b-4b5e-9a57-1d0b2f5a7c11' },
}

const LISTED = [
  item('forecast', 'Weather forecast'),
  item('history', 'Weather history', { payable: false }),
  item('hostile', HOSTILE),
]

const some = (count: number, volumeUsd: string) => ({ count, volumeUsd })

/** A month in which one of three wallets made most calls, and some of them to itself. */
const SUMS = {
  totals: {
    ...{ calls: 40, volumeUsd: '0.4', payers: 3, payees: 2, listings: 2 },
    ...{ dust: some(0, '0'), transfers: some(0, '0'), shared: some(0, '0'), surviving: some(10, '0.1') },
  },
  buckets: [],
  catalogue: { listings: 3, verified: 3, endpoints: 3, byGroup: { svc: 0, added: 3, partner: 0, external: 0 } },
  concentration: { topPayerTxShare: 0.875 },
  chains: [],
  pendingChanges: 0,
}

const ADDRESS = '0x00000000000000000000000000000000000000AA'
const AT = '2026-11-20T12:00:00.000Z'
const BASE = 'eip155:8453'
const CALLED = { name: 'Forecast', method: 'GET', url: `https://api.weather.example/${'forecast'.repeat(12)}` } as const
const PAYMENT = { scheme: 'exact', network: BASE, asset: ADDRESS, payTo: ADDRESS, checkedAt: AT } as const

/** A listing of which everything is known that its page shows. */
const ENTRY: CatalogueEntry = {
  ...{ id: 'forecast', name: 'Weather forecast', description: HOSTILE, category: 'data', tier: 'verified' },
  ...{ group: 'added', fee: { bps: 500, label: '5 %' }, verified: true, verification: 'verified', wrapped: false },
  ...{ lastCheckedAt: AT, price: '0.01', networks: [BASE], listedAt: AT },
  conformance: {
    declaredVersion: 2,
    versionConformant: true,
    offerTransport: 'header',
    issues: ['SCHEMA_INPUT_MISSING'],
  },
  liveness: { uptime7d: 0.99, latencyP50Ms: 12, latencyP95Ms: 340, checks7d: 2_016 },
  endpoints: [{ ...CALLED, price: '0.01', description: HOSTILE, payment: PAYMENT }],
  requests: [
    {
      ...{ ...CALLED, inputSchema: null, outputSchema: null, metadataEvidence: 'probe', sampleInput: null },
      offers: {
        stored: { ...PAYMENT, amount: '10000', price: '0.01' },
        live: null,
        differences: [{ field: 'payTo', stored: ADDRESS, live: HOSTILE }],
      },
      howToPay: {
        ...{ curl: 'curl', typescript: 'typescript', python: 'python', cli: 'npx callboard pay' },
        client: `pay(wallet, '${HOSTILE}')`,
      },
      action: { type: 'invoke_api', href: SIGNED },
    },
  ],
  week: [{ start: AT, calls: 3, volumeUsd: '0.03', surviving: some(1, '0.01') }],
  offerChanges: [{ ...CALLED, at: AT, field: 'price', from: '0.02', to: '0.01' }],
  recentSettlements: [
    {
      ...{ kind: 'call', txHash: `0x${'ab'.repeat(32)}`, network: BASE, observedAt: AT, blockNumber: '1' },
      ...{ payer: ADDRESS, payTo: ADDRESS, amountUsd: '0.01', asset: ADDRESS },
      listing: { ref: 'forecast', name: 'Weather forecast', group: 'added' },
      invented: [{ pattern: 'self_pay', reason: 'the seller paid itself', lifts: 'nothing', until: AT }],
    },
  ],
  samePayee: [{ ref: 'other', name: HOSTILE, group: 'added' }],
}

/** A call of that listing of which everything is known that its page shows, and all of it hostile. */
export const CALL: InvokedCall = {
  listing: {
    ...{ id: 'forecast', name: `Forecast ${HOSTILE}`, description: HOSTILE, group: 'added' },
    ...{ verified: false, verification: 'none' },
  },
  description: HOSTILE,
  request: {
    ...(ENTRY.requests[0] as CatalogueEntry['requests'][number]),
    ...{ method: 'POST', name: HOSTILE, url: `https://a.example/${'forecast'.repeat(12)}?q=${HOSTILE}` },
    inputSchema: {
      properties: { [`city ${HOSTILE}`]: { type: 'string', description: HOSTILE }, days: { enum: [1, 7] } },
      required: ['days'],
    },
    outputSchema: { title: HOSTILE },
    sampleInput: { city: HOSTILE },
  },
  payable: true,
  problem: null,
  check: { state: 'timeout', checkedAt: AT, okAt: '2026-11-19T12:00:00.000Z' },
  liveness: ENTRY.liveness,
  issues: ENTRY.conformance.issues,
}

/** What the catalog answers, by the signature of a link. */
const OPENED: Readonly<Record<string, InvokedCall | Refusal<'not_found'>>> = {
  good: CALL,
  unpayable: { ...CALL, payable: false, problem: `It answers ${HOSTILE} without asking for payment.` },
  gone: refuse('not_found', { field: 'schema' }),
  moved: refuse('not_found', { field: 'url' }),
}

const SIDE = { calls: 3, volumeUsd: '0.03', transfers: some(1, '7'), surviving: some(1, '0.01') }
const NOTHING = { calls: 0, volumeUsd: '0', transfers: some(0, '0'), surviving: some(0, '0') }

const page = (items: DiscoveryItem[]) => ({
  protocol: 'callboard-discovery/1' as const,
  items,
  hiddenUnverified: 0,
  unavailableKinds: [],
  rankingVersion: 'marketplace-ranking-v1' as const,
})

/** A directory of three listings, two of them about the weather; a cursor leads to the last. */
export function catalogStandIn() {
  const asked: InputOf<typeof discovery>[] = []
  const module = service({
    name: 'catalog',
    config: z.object({}),
    operations: { activity, addressActivity, discovery, entry, readInvokeLink, stats },
    serves: {
      entry: async ({ serviceId }: InputOf<typeof entry>) =>
        serviceId === 'ours' ? { ...ENTRY, group: 'svc' as const, verified: false } : ENTRY,
      readInvokeLink: async ({ sig }: InputOf<typeof readInvokeLink>) =>
        OPENED[sig] ?? refuse('invalid_request', { field: 'sig' }),
      activity: async ({ range, cursor }: InputOf<typeof activity>) =>
        cursor && cursor !== 'more'
          ? refuse('invalid_request')
          : { range, generatedAt: AT, items: ENTRY.recentSettlements, ...(cursor ? {} : { nextCursor: 'more' }) },
      addressActivity: async ({ address }: InputOf<typeof addressActivity>) => ({
        ...{ address, role: 'payer' as const, totals: { paid: SIDE, received: NOTHING } },
        ...{ buckets: [], topListings: [], items: ENTRY.recentSettlements, nextCursor: null },
      }),
      stats: async ({ range }: InputOf<typeof stats>) => ({ range, ...SUMS }),
      discovery: async (input: InputOf<typeof discovery>) => {
        asked.push(input)
        if (input.cursor && input.cursor !== 'more') return refuse('invalid_request')
        if (input.q === 'unreviewed')
          return { ...page([]), hiddenUnverified: input.includeUnverified ? 0 : 1, nextCursor: null }
        if (input.q === 'wanted') return { ...page([WANTED]), nextCursor: null }
        const found = LISTED.filter(({ card }) => card.title.toLowerCase().includes(input.q?.toLowerCase() ?? ''))
        return {
          ...page(input.cursor ? LISTED.slice(2) : found.slice(0, 2)),
          nextCursor: !input.cursor && found.length > 2 ? 'more' : null,
        }
      },
    },
  })
  return { module, asked }
}

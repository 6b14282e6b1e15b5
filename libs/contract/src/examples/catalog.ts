import type * as catalog from '../operations/catalog/index.ts'
import type { ExamplesOf } from './examples.ts'
import { posting } from './postings.ts'
import {
  AGENT,
  BASE_URL,
  EARLIER,
  ENDPOINT,
  JUST_NOW,
  LATER,
  NETWORK,
  OWNER,
  PAYOUT_WALLET,
  SLUG,
  SPLITTER,
  TX_HASH,
  USDC,
} from './words.ts'

const fee = { bps: 500, label: '5 %' }
const dust = { count: 3, volumeUsd: '0.000003' }
const transfers = { count: 1, volumeUsd: '2.5' }
const surviving = { count: 41, volumeUsd: '0.82' }
const nothing = { count: 0, volumeUsd: '0' }
const bucket = { start: '2026-11-22T00:00:00Z', calls: 41, volumeUsd: '0.82', surviving }

const service = {
  id: SLUG,
  name: 'Weather by city',
  description: 'The forecast of the next seven days for any city.',
  category: 'data',
  tier: 'verified',
  group: 'added',
  fee,
  verified: true,
  verification: 'verified',
  wrapped: false,
  lastCheckedAt: JUST_NOW,
  liveness: { uptime7d: 0.998, latencyP50Ms: 84, latencyP95Ms: 210, checks7d: 2016 },
  conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header+body', issues: [] },
  price: '0.02',
  networks: [NETWORK],
  endpoints: [
    {
      name: 'Forecast',
      method: 'GET',
      url: ENDPOINT,
      price: '0.02',
      description: 'By the name of a city.',
      payment: { scheme: 'exact', network: NETWORK, asset: USDC, payTo: SPLITTER, checkedAt: JUST_NOW },
    },
  ],
} satisfies ExamplesOf<typeof catalog>['services']['output']['services'][number]

const activityItem = {
  kind: 'call',
  txHash: TX_HASH,
  network: NETWORK,
  observedAt: JUST_NOW,
  listing: { ref: SLUG, name: 'Weather by city', group: 'added' },
  payer: AGENT,
  payTo: SPLITTER,
  amountUsd: '0.02',
  asset: USDC,
  blockNumber: '38012345',
} satisfies ExamplesOf<typeof catalog>['activity']['output']['items'][number]

const shared = { count: 0, volumeUsd: '0' }

const burn = {
  network: NETWORK,
  txHash: TX_HASH,
  blockNumber: '38012345',
  observedAt: JUST_NOW,
  from: AGENT,
  token: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  amount: '1250.5',
} satisfies ExamplesOf<typeof catalog>['burns']['output']['burns'][number]

/** A feed without entries. */
const atom = (title: string, path: string): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${BASE_URL}${path}</id>`,
    `<title>${title}</title>`,
    `<updated>${JUST_NOW}</updated>`,
    `<author><name>Callboard</name><uri>${BASE_URL}</uri></author>`,
    `<link rel="self" type="application/atom+xml" href="${BASE_URL}${path}"/>`,
    '</feed>\n',
  ].join('\n')

const INVOKE_HREF = `/call/invoke?${new URLSearchParams({
  ...{ url: ENDPOINT, method: 'GET', schema: `/api/calls/${SLUG}`, network: NETWORK },
  sig: 'kHcDJgsffnkkyQGGwvHZCxLSkVG3OpKxrzQ8wEQWbSE',
})}`

export const examples: ExamplesOf<typeof catalog> = {
  discovery: {
    input: {
      q: 'weather',
      kinds: ['api'],
      limit: 20,
      includeUnverified: false,
      category: 'data',
      maxPrice: '0.05',
      minUptime: 0.99,
      facets: true,
    },
    output: {
      protocol: 'callboard-discovery/1',
      items: [
        {
          ref: SLUG,
          card: {
            title: 'Weather by city',
            summary: 'The forecast of the next seven days for any city.',
            byline: 'api.weather.example',
            badges: [{ code: 'verified', label: 'Verified' }],
            facts: [{ label: 'Price', value: '0.02 USD' }],
          },
          kind: 'api',
          provenance: 'self_listed',
          group: 'added',
          fee,
          verification: 'verified',
          execution: { mode: 'direct', url: ENDPOINT, method: 'GET', network: NETWORK, payable: true },
          action: { type: 'invoke_api', href: INVOKE_HREF },
        },
      ],
      nextCursor: null,
      hiddenUnverified: 3,
      unavailableKinds: [],
      facets: {
        total: 1,
        isComplete: true,
        category: [{ value: 'data', count: 1 }],
        network: [{ value: NETWORK, count: 1 }],
        asset: [{ value: USDC.toLowerCase(), count: 1 }],
      },
      rankingVersion: 'marketplace-ranking-v1',
    },
  },
  posting: { input: { id: posting.id }, output: posting },
  services: {
    input: { q: 'weather', category: 'data', limit: 20 },
    output: { services: [service] },
  },
  search: { input: { q: 'weather', limit: 20 }, output: { calls: [service] } },
  list: { input: {}, output: { calls: [service] } },
  entry: {
    input: { serviceId: SLUG },
    output: {
      ...service,
      listedAt: EARLIER,
      requests: [
        {
          name: 'Forecast',
          method: 'GET',
          url: ENDPOINT,
          inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          outputSchema: null,
          metadataEvidence: 'bazaar',
          sampleInput: { city: 'Lisbon' },
          offers: {
            stored: {
              scheme: 'exact',
              network: NETWORK,
              asset: USDC,
              payTo: SPLITTER,
              amount: '20000',
              checkedAt: JUST_NOW,
              price: '0.02',
            },
            live: null,
            differences: [],
          },
          howToPay: null,
          action: { type: 'invoke_api', href: INVOKE_HREF },
        },
      ],
      week: [bucket],
      offerChanges: [{ at: EARLIER, method: 'GET', url: ENDPOINT, field: 'price', from: '0.03', to: '0.02' }],
      recentSettlements: [],
      samePayee: [],
    },
  },
  stats: {
    input: { range: '30d' },
    output: {
      range: '30d',
      totals: {
        ...{ calls: 1204, volumeUsd: '24.08', payers: 17, payees: 4, listings: 4, dust, transfers, shared },
        surviving: { count: 1180, volumeUsd: '23.6' },
      },
      buckets: [bucket],
      catalogue: {
        listings: 12,
        verified: 4,
        endpoints: 19,
        byGroup: { svc: 1, added: 4, partner: 0, external: 7 },
      },
      concentration: { topPayerTxShare: 0.31 },
      chains: [{ network: NETWORK, asOfBlock: '38012349', blockAt: JUST_NOW, behindBlocks: 0, lagSeconds: 2 }],
      pendingChanges: 0,
    },
  },
  burns: {
    input: { limit: 50 },
    output: { generatedAt: JUST_NOW, totalBurned: '98000.5', burns: [burn] },
  },
  activity: {
    input: { range: '24h', limit: 50 },
    output: { range: '24h', generatedAt: JUST_NOW, items: [activityItem] },
  },
  addressActivity: {
    input: { address: AGENT, range: '30d' },
    output: {
      address: AGENT,
      role: 'payer',
      totals: {
        paid: { calls: 41, volumeUsd: '0.82', transfers, surviving },
        received: { calls: 0, volumeUsd: '0', transfers: nothing, surviving: nothing },
      },
      buckets: [bucket],
      topListings: [{ ref: SLUG, name: 'Weather by city', group: 'added', calls: 41, volumeUsd: '0.82', surviving }],
      items: [activityItem],
      nextCursor: null,
    },
  },
  walletUsage: {
    input: { wallet: AGENT },
    output: {
      ...{ wallet: AGENT, generatedAt: JUST_NOW, listings: 2, transfers: nothing },
      total: { calls: 41, spentUsd: '0.82' },
      last24h: { calls: 3, spentUsd: '0.06' },
      last7d: { calls: 20, spentUsd: '0.4' },
      last30d: { calls: 41, spentUsd: '0.82' },
      firstCallAt: EARLIER,
      lastCallAt: JUST_NOW,
    },
  },
  identity: {
    input: { wallet: OWNER, limit: 10 },
    output: {
      ...{ wallet: OWNER, generatedAt: JUST_NOW, total: 1 },
      agents: [
        {
          ...{
            network: NETWORK,
            agentRegistry: `${NETWORK}:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432`,
            agentId: '22',
          },
          ...{
            roles: ['owner'],
            owner: OWNER,
            agentWallet: PAYOUT_WALLET,
            registeredAt: EARLIER,
            registrationTx: TX_HASH,
          },
          claimed: { registrationUri: { text: 'https://api.weather.example/agent.json', cut: false } },
          feedback: {
            fromPayers: {
              ...{ count: 2, clients: 1, tagPairs: 1 },
              tags: [
                {
                  tag1: 'uptime',
                  tag2: '30days',
                  count: 2,
                  clients: 1,
                  lowest: '99.5',
                  median: '99.5',
                  highest: '99.77',
                },
              ],
              clientList: [
                {
                  ...{ client: AGENT, count: 2, lastAt: JUST_NOW },
                  paid: { payments: 41, amountUsd: '0.82', lastAt: JUST_NOW },
                },
              ],
            },
            fromOthers: { count: 0, clients: 0, tagPairs: 0, tags: [], clientList: [] },
            ...{ own: { count: 0, clients: 0 }, revoked: 1, answers: 0, readAt: JUST_NOW },
          },
        },
      ],
      chains: [{ network: NETWORK, asOfBlock: '38412007', blockAt: JUST_NOW, behindBlocks: 1, lagSeconds: 4 }],
    },
  },
  supplyTotal: { input: {}, output: '998749.5' },
  supplyCirculating: { input: {}, output: '640000' },
  feed: { input: {}, output: atom('Callboard: newly verified listings', '/call/feed.xml') },
  listingFeed: { input: { serviceId: SLUG }, output: atom('Weather by city: changes', `/call/${SLUG}/feed.xml`) },
  submitReport: {
    input: { kind: 'listing', message: 'The forecast is that of another city.', slug: SLUG },
    output: { id: '6f1c2d0e-3b7a-4b7e-9a51-0c2f5d1b8e44', expiresAt: LATER },
  },
  apiCatalog: {
    input: {},
    output: {
      linkset: [
        {
          anchor: `${BASE_URL}/.well-known/api-catalog`,
          item: [{ href: `${BASE_URL}/api/call/discovery` }, { href: `${BASE_URL}/x402/decode` }],
        },
        {
          anchor: `${BASE_URL}/api/call/discovery`,
          'service-desc': [{ href: `${BASE_URL}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' }],
          'service-doc': [{ href: `${BASE_URL}/docs`, type: 'text/html' }],
        },
      ],
    },
  },
}

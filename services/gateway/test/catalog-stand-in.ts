import { catalog, type DiscoveryItem, type InputOf } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { z } from 'zod'

const { discovery } = catalog

/** What a hostile provider would write. */
export const HOSTILE = '<img src=x onerror=alert(1)>"&'

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
  action: { type: 'invoke_api', href: '/call/invoke?sig=x' },
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
    operations: { discovery },
    serves: {
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

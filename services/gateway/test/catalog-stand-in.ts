import { catalog, type DiscoveryItem, type InputOf } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { z } from 'zod'

const { discovery } = catalog

/** Writes what a hostile provider would. */
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

const LISTED = [
  item('forecast', 'Weather forecast'),
  item('history', 'Weather history', { payable: false }),
  item('hostile', HOSTILE),
]

/** A directory of three listings, two of them about the weather; a cursor leads to the last one. */
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
        const found = LISTED.filter(({ card }) => card.title.toLowerCase().includes(input.q?.toLowerCase() ?? ''))
        return {
          protocol: 'callboard-discovery/1' as const,
          items: input.cursor ? LISTED.slice(2) : found.slice(0, 2),
          nextCursor: !input.cursor && found.length > 2 ? 'more' : null,
          hiddenUnverified: 0,
          unavailableKinds: [],
          rankingVersion: 'marketplace-ranking-v1' as const,
        }
      },
    },
  })
  return { module, asked }
}

import { catalog, type DiscoveryItem, type DiscoveryPage, type Service } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { ownWord, postingPath, wanted, whilePosted } from '../../actors/poster.ts'
import { act } from '../../actors/provider.ts'
import { expectDeprecatedAlias, expectHead } from '../../expectations/aliases.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS, GROUP_ORDER } from '../../expectations/specification.ts'
import { eventually, liveAtScripted, type Stage, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/discovery'

const read = async (client: Client, query = ''): Promise<DiscoveryPage> =>
  accepted(catalog.discovery, await client.get(`${PATH}${query}`))

/** Every page of a query, in order. */
async function readAll(client: Client, query: string): Promise<DiscoveryItem[]> {
  const items: DiscoveryItem[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: DiscoveryPage = await read(client, `?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

const refs = (items: readonly DiscoveryItem[]) => items.map(({ ref }) => ref)
const live = ({ weather, translate, rates }: Stage) => [weather, translate, rates].map(({ slug }) => slug).sort()

export const discovery: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  describe('the envelope', () => {
    test('carries exactly the members of the specification', async () => {
      const page = await read(client())
      expectFields(page, [...FIELDS.discoveryEnvelope, 'hiddenUnverified'])
      expect(page.protocol).toMatch(/\/1$/)
      expect(page.rankingVersion).toBe('marketplace-ranking-v1')
    })

    test('HEAD has the headers of GET and no body', () => expectHead(client(), PATH))

    test('the deprecated path answers in the same way and names its successor', () =>
      expectDeprecatedAlias(client(), '/api/marketplace/discovery', PATH, '?limit=5&includeUnverified=true'))

    test('the deprecated path refuses in the same way, and is marked as deprecated then, too', async () => {
      const answer = await client().get('/api/marketplace/discovery?limit=0')
      refused(catalog.discovery, answer, 400, 'invalid_request', 'limit')
      expect(answer.headers.get('deprecation')).toBe('true')
    })
  })

  describe('the items', () => {
    staged(target, 'carry exactly the members of the specification', async (stage) => {
      const { items } = await read(stage.client, `?includeUnverified=true&q=${stage.word}`)
      expect(items.length).toBeGreaterThan(0)
      for (const item of items) {
        expectFields(item, FIELDS.discoveryItem)
        expectFields(item.card, FIELDS.card)
        for (const badge of item.card.badges) expectFields(badge, FIELDS.badge)
        for (const fact of item.card.facts) expectFields(fact, FIELDS.fact)
        expectFields(item.fee, FIELDS.fee)
        expectFields(item.execution, FIELDS.execution)
        expectFields(item.action, FIELDS.action)
        expect(item.action.href).toMatch(/^\/(?!\/)/)
      }
    })

    staged(target, 'show price, network and method as facts, and the fee of a self-listing', async (stage) => {
      const { items } = await read(stage.client, `?includeUnverified=true&q=${stage.word}`)
      const item = items.find(({ ref }) => ref === stage.rates.slug)
      expect(item?.card.facts.map(({ label }) => label)).toEqual(expect.arrayContaining(['price', 'network', 'method']))
      expect(item).toMatchObject({
        kind: 'api',
        group: 'added',
        fee: { bps: 500 },
        verification: 'none',
        execution: { mode: 'direct', network: stage.devnet.network, method: 'GET', payable: true },
        action: { type: 'invoke_api' },
      })
      expect(item?.execution.url).toBe(stage.rates.operations[0]?.url)
    })

    test('are in the order of their groups', async () => {
      const items = await readAll(client(), 'includeUnverified=true&limit=50')
      const ranks = items.map(({ group }) => GROUP_ORDER.indexOf(group))
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    })
  })

  describe('the parameters', () => {
    staged(target, 'by default only verified items are shown; includeUnverified adds the rest', async (stage) => {
      for (const query of ['', '&includeUnverified=false']) {
        expect((await read(stage.client, `?q=${stage.word}${query}`)).items).toEqual([])
      }
      const { items } = await read(stage.client, `?q=${stage.word}&includeUnverified=true`)
      expect(refs(items).sort()).toEqual(live(stage))
      expect(items.find(({ ref }) => ref === stage.translate.slug)?.verification).toBe('requested')
    })

    staged(target, 'q finds a listing by its words', async (stage) => {
      const { items } = await read(stage.client, `?includeUnverified=true&q=%22rates%22%20${stage.word}`)
      expect(refs(items)).toEqual([stage.rates.slug])
      const loose = await read(stage.client, `?includeUnverified=true&q=what%20are%20the%20rates%20of%20${stage.word}`)
      expect(loose.items[0]?.ref).toBe(stage.rates.slug)
      const nothing = await read(stage.client, `?includeUnverified=true&q=${stage.word}x${stage.word}`)
      expect(nothing.items).toEqual([])
    })

    staged(target, 'a match in the name ranks above one in the description, whatever its trust', async (stage) => {
      const { items } = await read(stage.client, `?includeUnverified=true&q=weather%20${stage.word}`)
      expect(refs(items)).toEqual([stage.weather.slug, stage.translate.slug])
    })

    staged(target, 'kinds selects items, and an empty kind is not reported as unavailable', async (stage) => {
      const query = `?includeUnverified=true&q=${stage.word}`
      expect(refs((await read(stage.client, `${query}&kinds=api`)).items).sort()).toEqual(live(stage))
      const offers = await read(stage.client, `${query}&kinds=service_offer`)
      expect(offers).toMatchObject({ items: [], unavailableKinds: [] })
      const word = ownWord()
      await whilePosted(stage.provider.api, wanted(word), async ({ id }) => {
        const asked = `?includeUnverified=true&q=${word}`
        await eventually(async () => {
          expect(refs((await read(stage.client, `${asked}&kinds=open_request`)).items)).toEqual([id])
        })
        const { items, unavailableKinds } = await read(stage.client, asked)
        expect([refs(items), unavailableKinds]).toEqual([[id], []])
        const [item] = items
        expectFields(item, FIELDS.discoveryItem)
        expect(item).toMatchObject({
          kind: 'open_request',
          verification: 'none',
          execution: { payable: false },
          action: { type: 'view_posting', href: postingPath(id) },
        })
        for (const other of [`${asked}&kinds=api`, `${asked}&kinds=service_offer`, `?q=${word}`]) {
          expect((await read(stage.client, other)).items, other).toEqual([])
        }
      })
    })

    staged(target, 'network selects listings that are paid there', async (stage) => {
      const query = `?includeUnverified=true&q=${stage.word}`
      const here = await read(stage.client, `${query}&network=${encodeURIComponent(stage.devnet.network)}`)
      expect(refs(here.items).sort()).toEqual(live(stage))
      expect((await read(stage.client, `${query}&network=eip155%3A5042`)).items).toEqual([])
    })

    staged(target, 'no filter is ignored: each keeps exactly the items that match it', async (stage) => {
      const query = `?includeUnverified=true&q=${stage.word}`
      const { items } = await read(stage.client, query)
      const services = accepted(
        catalog.services,
        await stage.client.get(`/api/call/services${query}&limit=100`),
      ).services.filter(({ id }) => live(stage).includes(id))
      expect(services.map(({ id }) => id).sort()).toEqual(live(stage))
      const [one] = services
      const endpoint = one?.endpoints[0]
      const { payTo, asset } = endpoint?.payment ?? { payTo: '', asset: '' }
      const having = (has: (service: Service) => boolean) => services.filter(has).map(({ id }) => id)
      const cases: [string, string[]][] = [
        [`category=${one?.category}`, having(({ category }) => category === one?.category)],
        [`payTo=${payTo}`, having(({ endpoints }) => endpoints.some(({ payment }) => payment.payTo === payTo))],
        [`asset=${asset}`, having(({ endpoints }) => endpoints.some(({ payment }) => payment.asset === asset))],
        [`maxPrice=${one?.price}`, having(({ price }) => Number(price) <= Number(one?.price))],
        ['maxPrice=0', []],
        ['minUptime=0', live(stage)],
      ]
      for (const [filter, expected] of cases) {
        expect(refs((await read(stage.client, `${query}&${filter}`)).items).sort(), filter).toEqual(expected.toSorted())
      }
      const { facets } = await read(stage.client, `${query}&facets=true&limit=1`)
      expect(facets).toMatchObject({ total: items.length, isComplete: true })
      expect(facets?.network).toContainEqual({ value: stage.devnet.network, count: items.length })
    })

    staged(target, 'a listing that goes offline disappears', async (stage) => {
      const { slug } = await liveAtScripted(stage, '/leaving', `Leaving x${stage.word}`)
      const query = `?includeUnverified=true&q=x${stage.word}`
      await eventually(async () => expect(refs((await read(stage.client, query)).items)).toEqual([slug]))
      expect((await act(stage.provider.api, slug, 'suspend')).status).toBe(200)
      await eventually(async () => expect((await read(stage.client, query)).items).toEqual([]))
    })

    test.each([
      ['q of 201 characters', `q=${'a'.repeat(201)}`, 'q'],
      ['an unknown kind', 'kinds=agent', 'kinds.0'],
      ['the bracketed form of kinds', 'kinds[]=api', 'kinds[]'],
      ['a network that is no CAIP-2 id', 'network=base', 'network'],
      ['a category that is none', 'category=food', 'category'],
      ['a price that is no amount', 'maxPrice=cheap', 'maxPrice'],
      ['a payee that is no address', 'payTo=0x12', 'payTo'],
      ['an asset that is no address', 'asset=usdc', 'asset'],
      ['an uptime above 1', 'minUptime=1.1', 'minUptime'],
      ['facets that is no boolean', 'facets=all', 'facets'],
      ['limit 0', 'limit=0', 'limit'],
      ['limit 51', 'limit=51', 'limit'],
      ['a limit with a fraction', 'limit=1.5', 'limit'],
      ['limit twice', 'limit=1&limit=2', 'limit'],
      ['includeUnverified that is no boolean', 'includeUnverified=yes', 'includeUnverified'],
      ['a cursor of our own making', 'cursor=abc', 'cursor'],
      ['an unknown parameter', 'page=2', 'page'],
    ])('400 names the field: %s', async (_what, query, field) => {
      refused(catalog.discovery, await client().get(`${PATH}?${query}`), 400, 'invalid_request', field)
    })

    test('the longest q and both bounds of limit are accepted', async () => {
      await read(client(), `?q=${'a'.repeat(200)}`)
      expect((await read(client(), '?limit=1&includeUnverified=true')).items.length).toBeLessThanOrEqual(1)
      await read(client(), '?limit=50')
    })
  })

  describe('paging', () => {
    staged(target, 'ends with null, and neither skips nor repeats an item', async (stage) => {
      const query = `includeUnverified=true&q=${stage.word}`
      const whole = await read(stage.client, `?${query}&limit=50`)
      expect(whole.nextCursor).toBeNull()
      for (const limit of [1, 2, 3]) {
        expect(refs(await readAll(stage.client, `${query}&limit=${limit}`))).toEqual(refs(whole.items))
      }
    })

    staged(target, '400 names the cursor: one from another query', async (stage) => {
      const { nextCursor } = await read(stage.client, `?includeUnverified=true&q=${stage.word}&limit=1`)
      expect(nextCursor).not.toBeNull()
      const other = `?includeUnverified=true&limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}`
      refused(catalog.discovery, await stage.client.get(`${PATH}${other}`), 400, 'invalid_request', 'cursor')
    })
  })
}

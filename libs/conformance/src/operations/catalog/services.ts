import { catalog, type Service } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectDeprecatedAlias, expectHead } from '../../expectations/aliases.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { expectService } from '../../expectations/service-shape.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/services'

const read = async (client: Client, query = ''): Promise<Service[]> =>
  accepted(catalog.services, await client.get(`${PATH}${query}`)).services

export const services: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  describe('the answer', () => {
    test('is an object with the services and nothing else', async () => {
      expectFields((await client().get(PATH)).json() as object, ['services'])
      await read(client())
    })

    test('HEAD has the headers of GET and no body', () => expectHead(client(), PATH))

    test('the deprecated path answers in the same way and names its successor', () =>
      expectDeprecatedAlias(client(), '/api/network/services', PATH, '?limit=5&includeUnverified=true'))

    staged(target, 'every service carries exactly the members of the specification', async ({ client, word }) => {
      const found = await read(client, `?includeUnverified=true&q=${word}`)
      expect(found).toHaveLength(3)
      found.forEach(expectService)
    })

    staged(target, 'a live listing is shown with its price, its endpoint and its payment details', async (stage) => {
      const { client, word, rates, devnet, splitter } = stage
      const [service] = await read(client, `?includeUnverified=true&q=rates%20${word}`)
      const [operation] = rates.operations
      expect(service).toMatchObject({
        id: rates.slug,
        name: rates.name,
        category: 'crypto',
        group: 'added',
        fee: { bps: 500 },
        verified: false,
        verification: 'none',
        wrapped: false,
        price: '0.03',
        networks: [devnet.network],
        conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header' },
        endpoints: [
          {
            method: 'GET',
            url: operation?.url,
            price: '0.03',
            payment: {
              scheme: 'exact',
              network: devnet.network,
              asset: devnet.usdc.address,
              payTo: splitter.splitterAddress,
            },
          },
        ],
      })
    })
  })

  describe('the parameters', () => {
    staged(target, 'by default only verified services are shown', async ({ client, word }) => {
      expect(await read(client, `?q=${word}`)).toEqual([])
      expect(await read(client, `?q=${word}&includeUnverified=false`)).toEqual([])
    })

    staged(target, 'category selects services', async ({ client, word, translate }) => {
      const ai = await read(client, `?includeUnverified=true&q=${word}&category=ai`)
      expect(ai.map(({ id }) => id)).toEqual([translate.slug])
      expect(await read(client, `?includeUnverified=true&q=${word}&category=search`)).toEqual([])
    })

    staged(target, 'limit caps the number of services', async ({ client, word }) => {
      expect(await read(client, `?includeUnverified=true&q=${word}&limit=2`)).toHaveLength(2)
      expect(await read(client, `?includeUnverified=true&q=${word}&limit=100`)).toHaveLength(3)
    })

    test('at most 20 are shown by default', async () => {
      expect((await read(client(), '?includeUnverified=true')).length).toBeLessThanOrEqual(20)
    })

    test.each([
      ['q of 201 characters', `q=${'a'.repeat(201)}`, 'q'],
      ['an unknown category', 'category=games', 'category'],
      ['limit 0', 'limit=0', 'limit'],
      ['limit 101', 'limit=101', 'limit'],
      ['includeUnverified that is no boolean', 'includeUnverified=1', 'includeUnverified'],
      ['an unknown parameter', 'cursor=abc', 'cursor'],
    ])('400 names the field: %s', async (_what, query, field) => {
      refused(catalog.services, await client().get(`${PATH}?${query}`), 400, 'invalid_request', field)
    })
  })
}

import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { unitsOf } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/models'

export const models: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('shows anyone every model with its limits, capabilities, and prices in decimal USD', async () => {
    const { models: listed } = accepted(router.models, await client().get(PATH))
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
    for (const { contextTokens, maxOutputTokens, capabilities, pricing } of listed) {
      expect(contextTokens).toBeGreaterThan(0)
      expect(maxOutputTokens).toBeGreaterThanOrEqual(0)
      expect(capabilities.length).toBeGreaterThan(0)
      const { version, tiers = [], ...prices } = pricing
      expect(version).toMatch(/\S/)
      const dearer = tiers.map(({ above: _, ...tier }) => tier)
      for (const price of [prices, ...dearer].flatMap((row) => Object.values(row))) {
        expect(unitsOf(price)).toBeGreaterThanOrEqual(0n)
      }
      const lengths = tiers.map(({ above }) => above)
      expect(lengths).toEqual([...new Set(lengths)].sort((one, two) => one - two))
    }
  })

  test('HEAD answers as GET does', () => expectHead(client(), PATH))

  test('400 names the field: it takes no parameters', async () => {
    refused(router.models, await client().get(`${PATH}?a=1`), 400, 'invalid_request', 'a')
  })
}

import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/wallet/usage'

export const walletUsage: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test('a wallet that paid no one has every sum, all zero', async () => {
    const { address } = newAccount()
    const usage = accepted(catalog.walletUsage, await get(`?wallet=${address}`))
    expectFields(usage, [
      ...['wallet', 'generatedAt', 'total', 'last24h', 'last7d', 'last30d', 'listings', 'transfers'],
      ...['firstCallAt', 'lastCallAt'],
    ])
    expect(usage).toMatchObject({ wallet: address, total: { calls: 0, spentUsd: '0' }, lastCallAt: null })
  })

  test.each([
    ['no wallet', '', 'wallet'],
    ['what is no address', '?wallet=me', 'wallet'],
    ['an unknown parameter', `?wallet=0x${'11'.repeat(20)}&range=7d`, 'range'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(catalog.walletUsage, await get(query), 400, 'invalid_request', field)
  })
}

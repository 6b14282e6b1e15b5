import { type BurnItem, type BurnPage, catalog } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { perTarget } from '../../actors/per-target.ts'
import { burn, fundToken } from '../../actors/token.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { eventually } from '../../stage.ts'
import type { Register, Target } from '../../target.ts'

const PATH = '/api/router/burns'
const UNIT = 10n ** 18n
const FIELDS = ['network', 'txHash', 'blockNumber', 'observedAt', 'from', 'token', 'amount']

/** One account that burned three times; its transactions, oldest first. */
const burned = perTarget(async (target: Target) => {
  const { devnet } = target
  if (!devnet) throw new Error('Nothing can be burned without the devnet of the target')
  const account = newAccount()
  await fundToken(devnet, account, 10n * UNIT)
  const transactions: string[] = []
  for (const units of [UNIT, 2n * UNIT, UNIT / 4n]) transactions.push(await burn(devnet, account, units))
  return { account, devnet, transactions }
})

export const burns: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const read = async (query = ''): Promise<BurnPage> => accepted(catalog.burns, await client().get(`${PATH}${query}`))

  async function readAll(limit: number): Promise<BurnItem[]> {
    const items: BurnItem[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page = await read(`?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
      expect(page.burns.length).toBeLessThanOrEqual(limit)
      items.push(...page.burns)
      cursor = page.nextCursor
    }
    return items
  }

  test('a page says when it was generated, and has the total burned and the burns', async () => {
    const page = await read()
    expectFields(page, [
      'generatedAt',
      'totalBurned',
      'burns',
      ...(page.nextCursor === undefined ? [] : ['nextCursor']),
    ])
    expect(page.burns.length).toBeLessThanOrEqual(50)
  })

  describe('burns on the chain', () => {
    test('appear newest first with amount, sender and network, and in the total', async ({ skip }) => {
      if (!target().devnet) skip('it moves tokens: give the target’s devnet.json')
      const { account, devnet, transactions } = await burned(target())
      const ofAccount = await eventually(async () => {
        const found = (await read('?limit=100')).burns.filter(({ from }) => from === account.address)
        expect(found.map(({ txHash }) => txHash)).toEqual(transactions.toReversed())
        return found
      })
      for (const item of ofAccount) expectFields(item, FIELDS)
      const shared = { network: devnet.network, token: devnet.stakeToken }
      expect(ofAccount).toMatchObject([
        { ...shared, amount: '0.25' },
        { ...shared, amount: '2' },
        { ...shared, amount: '1' },
      ])
      expect(Number((await read()).totalBurned)).toBeGreaterThanOrEqual(3.25)
    })

    test('pages neither skip nor repeat a burn', async ({ skip }) => {
      if (!target().devnet) skip('it moves tokens: give the target’s devnet.json')
      const { transactions } = await burned(target())
      const whole = await eventually(async () => {
        const found = (await readAll(100)).map(({ txHash }) => txHash)
        expect(found).toEqual(expect.arrayContaining([...transactions]))
        return found
      })
      expect((await readAll(1)).map(({ txHash }) => txHash)).toEqual(whole)
    })
  })

  test.each([
    ['limit 0', 'limit=0', 'limit'],
    ['limit 101', 'limit=101', 'limit'],
    ['a cursor of our own making', 'cursor=abc', 'cursor'],
    ['an unknown parameter', 'from=a', 'from'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(catalog.burns, await client().get(`${PATH}?${query}`), 400, 'invalid_request', field)
  })
}

import { catalog, type WalletIdentity } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { fund, newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { giveFeedback, registerAgent } from '../../actors/registries.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/identity'
const URI = 'https://seller.example/agent.json'

export const identity: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const read = async (wallet: string, query = ''): Promise<WalletIdentity> =>
    accepted(catalog.identity, await client().get(`${PATH}/${wallet}${query}`))

  test('a wallet without an agent has empty lists, and the answer says how far the chains are read', async () => {
    const { address } = newAccount()
    const answer = await read(address)
    expectFields(answer, ['wallet', 'generatedAt', 'total', 'agents', 'chains'])
    expect(answer).toMatchObject({ wallet: address, total: 0, agents: [] })
  })

  describe('an agent on the chain', () => {
    staged(
      target,
      'is shown with its claim, and feedback of its payers is separate from that of others',
      async (stage) => {
        const { devnet, provider, payer } = stage
        const talker = newAccount()
        for (const { address } of [payer, talker]) await fund(devnet, address, { wei: 10n ** 18n })
        const registrationTx = await registerAgent(devnet, provider.account, URI)
        const wallet = provider.account.address
        const found = await eventually(async () => {
          const one = (await read(wallet)).agents.find((agent) => agent.registrationTx === registrationTx)
          expect(one?.agentWallet).toBe(wallet)
          return one
        })
        if (!found) throw new Error('The agent is not shown')
        const { network, identityRegistry } = devnet
        expect(found).toMatchObject({
          ...{ network, agentRegistry: `${network}:${identityRegistry}`, owner: wallet },
          ...{ roles: ['owner', 'agent_wallet'], claimed: { registrationUri: { text: URI, cut: false } } },
        })
        await giveFeedback(devnet, payer, BigInt(found.agentId), 90n)
        await giveFeedback(devnet, talker, BigInt(found.agentId), 1n)
        await eventually(async () => {
          const one = (await read(wallet)).agents.find((agent) => agent.registrationTx === registrationTx)
          expect(one?.feedback).toMatchObject({
            fromPayers: { count: 1, clientList: [{ client: payer.address, paid: { payments: 3 } }] },
            fromOthers: { count: 1, clientList: [{ client: talker.address, paid: null }] },
          })
        })
      },
    )

    staged(target, 'pages neither skip nor repeat an agent', async ({ devnet }) => {
      const account = newAccount()
      await fund(devnet, account.address, { wei: 10n ** 18n })
      const registrations: string[] = []
      for (const _ of [1, 2, 3]) registrations.push(await registerAgent(devnet, account, URI))
      await eventually(async () => expect((await read(account.address)).total).toBe(3))
      const found: string[] = []
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const page = await read(account.address, `?limit=1${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
        expect(page.agents).toHaveLength(1)
        found.push(...page.agents.map(({ registrationTx }) => registrationTx ?? 'none'))
        cursor = page.nextCursor
      }
      expect(found.sort()).toEqual(registrations.sort())
    })
  })

  test.each([
    ['what is no address', 'me', 'wallet'],
    ['limit 21', `0x${'11'.repeat(20)}?limit=21`, 'limit'],
    ['a cursor of our own making', `0x${'11'.repeat(20)}?cursor=abc`, 'cursor'],
    ['an unknown parameter', `0x${'11'.repeat(20)}?range=7d`, 'range'],
  ])('400 names the field: %s', async (_what, path, field) => {
    refused(catalog.identity, await client().get(`${PATH}/${path}`), 400, 'invalid_request', field)
  })
}

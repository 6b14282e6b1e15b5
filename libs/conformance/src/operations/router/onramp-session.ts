import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount, usdcBalance } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/wallet/onramp-session'
const FIELDS = [
  'provider',
  'wallet',
  'network',
  'amountUsd',
  'onrampUrl',
  'transaction',
  'quote',
  'message',
  'createdAt',
]
const WALLET = `0x${'11'.repeat(20)}`

export const onrampSession: Register = (target) => {
  const post = (body: object) => new Client(target().baseUrl).post(PATH, body)

  test('on a local chain the faucet sends test USDC at once, and says so', async ({ skip }) => {
    const { devnet } = target()
    if (!devnet) return skip('it moves money: give the target’s devnet.json')
    const { network } = devnet
    const { address: wallet } = newAccount()
    const session = accepted(router.onrampSession, await post({ wallet, network, amountUsd: '1.5' }))
    expectFields(session, FIELDS)
    expect(session).toMatchObject({ provider: 'devnet_faucet', wallet, network, amountUsd: '1.5', onrampUrl: null })
    expect(await usdcBalance(devnet, wallet)).toBe(1_500_000n)
  })

  test('503 without an onramp provider: says what to do instead, and uses up none of the daily limit', async ({
    skip,
  }) => {
    if (!target().devnet) return skip('whether a provider is configured is known of the target’s devnet alone')
    const answer = await post({ wallet: WALLET, network: 'eip155:8453', amountUsd: '5' })
    expect(refused(router.onrampSession, answer, 503, 'onramp_unavailable').message).toContain(
      'send USDC to the wallet',
    )
  })

  test('400 names the field: more than 500 dollars', async () => {
    const answer = await post({ wallet: WALLET, network: 'eip155:8453', amountUsd: '501' })
    refused(router.onrampSession, answer, 400, 'invalid_request', 'amountUsd')
  })
}

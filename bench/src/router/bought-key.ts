import { newOwner, type Owner } from '@callboard/conformance/owner'
import type { Target } from '@callboard/conformance/target'
import { DEVNET_MNEMONIC } from '@callboard/embedded'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { mnemonicToAccount } from 'viem/accounts'

const BASE_UNITS_PER_USD = 1_000_000
/** An account of the devnet from which no other benchmark pays. */
const PAYER = mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: 7 })

/** The amounts for sale, in USD. */
export type Tier = 1 | 5 | 20 | 50

export interface BoughtKey {
  readonly key: string
  readonly owner: Owner
}

/** Where a balance is bought, and with which token. */
export interface Shop extends Target {
  readonly token: { readonly network: `${string}:${string}`; readonly asset: string }
}

/** A key of a new owner, on a balance bought for it through x402. */
export async function boughtKey({ token, ...target }: Shop, usd: Tier): Promise<BoughtKey> {
  const owner = await newOwner(target)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(PAYER)).setSpendControls({
    allowedAssets: [{ ...token, maxAmountPerPayment: String(usd * BASE_UNITS_PER_USD) }],
  })
  const paid = await wrapFetchWithPayment(fetch, client)(`${target.baseUrl}/api/router/top-up/${usd}`, {
    method: 'POST',
    headers: owner.session.headers,
  })
  if (!paid.ok) throw new Error(`The top-up answered ${paid.status}: ${await paid.text()}`)
  const made = await owner.session.post('/api/router/keys', { label: 'bench', source: 'balance' })
  if (made.status !== 201) throw new Error(`The key answered ${made.status}: ${made.text}`)
  const { key } = made.json() as { key: string }
  return { key, owner }
}

import { randomBytes } from 'node:crypto'
import type { FacilitatorRequest } from '@callboard/contract'
import type { Devnet } from '@callboard/embedded'
import { erc20Abi } from '@callboard/evm'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import type { Address } from '@callboard/values'
import type { Confirmation } from '@callboard/x402'
import { createWalletClient, http, publicActions, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Base units of one payment. */
export const AMOUNT = 1_000n
/** Accounts that pay, each many times. */
const PAYERS = 50
/** The balance of each, in base units. */
const HOLDING = 150_000_000n

/** A seller's requirements besides the money. */
export interface Terms {
  /** From which confirmation on a payment counts. */
  readonly confirmation?: Confirmation
}

/** Signs new payments to the payees in turn. */
export type Payers = (count: number, payees: readonly Address[], terms?: Terms) => Promise<FacilitatorRequest[]>

/** Funds the accounts that pay. */
export async function openPayers(devnet: Devnet): Promise<Payers> {
  const { usdc } = devnet
  const [bank] = devnet.accounts
  if (!bank) throw new Error('anvil has no accounts')
  const node = createWalletClient({ transport: http(devnet.rpcUrl), cacheTime: 0 }).extend(publicActions)
  const payers = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()))
  for (const { address } of payers) {
    await node.writeContract({
      ...{ account: bank, chain: null, address: usdc.address, abi: erc20Abi },
      ...{ functionName: 'transfer', args: [address, HOLDING], gas: 200_000n },
    })
  }
  return (count, payees, terms = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const [payer, payTo] = [payers[index % payers.length], payees[index % payees.length]]
        if (!payer || !payTo) throw new Error('there is no payer, or no payee')
        return sign(devnet, payer, payTo, terms)
      }),
    )
}

async function sign(
  devnet: Devnet,
  payer: PrivateKeyAccount,
  payTo: Address,
  terms: Terms,
): Promise<FacilitatorRequest> {
  const { usdc } = devnet
  const authorization = {
    from: payer.address,
    to: payTo,
    value: AMOUNT.toString(),
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + 3_600),
    nonce: toHex(randomBytes(32)),
  }
  const signature = await payer.signTypedData({
    domain: { name: usdc.name, version: usdc.version, chainId: devnet.chainId, verifyingContract: usdc.address },
    types: EIP3009_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization, value: AMOUNT, validAfter: 0n, validBefore: BigInt(authorization.validBefore) },
  })
  const accepted = {
    scheme: 'exact',
    network: devnet.network,
    amount: AMOUNT.toString(),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: 3_600,
    extra: { name: usdc.name, version: usdc.version, ...terms },
  }
  const resource = { url: 'https://api.example/weather', description: 'The weather', mimeType: 'application/json' }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, resource, accepted, payload: { signature, authorization } },
    paymentRequirements: accepted,
  }
}

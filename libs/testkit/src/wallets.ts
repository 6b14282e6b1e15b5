import { type NoncePurpose, STATEMENTS } from '@callboard/contract'
import { DEVNET_MNEMONIC } from '@callboard/embedded'
import { accountOfMnemonic, siweMessage } from '@callboard/evm'
import { isoTime } from '@callboard/values'
import type { HDAccount } from 'viem/accounts'

const wallets = new Map<number, HDAccount>()

/** The account at an index of the devnet's mnemonic; the first ten hold test USDC. Derived once. */
export function wallet(index: number): HDAccount {
  const account = wallets.get(index) ?? accountOfMnemonic(DEVNET_MNEMONIC, index)
  wallets.set(index, account)
  return account
}

export interface SignedMessage {
  readonly message: string
  readonly signature: `0x${string}`
}

/** An EIP-4361 message as our routes require it, signed. `overrides` make single fields invalid. */
export async function signedMessage(
  account: HDAccount,
  asked: { purpose: NoncePurpose; nonce: string; baseUrl: string; chainId?: number; now?: number },
  overrides: Partial<Parameters<typeof siweMessage>[0]> = {},
): Promise<SignedMessage> {
  const { host, origin } = new URL(asked.baseUrl)
  const message = siweMessage({
    domain: host,
    address: account.address,
    statement: STATEMENTS[asked.purpose],
    uri: origin,
    chainId: asked.chainId ?? 31_337,
    nonce: asked.nonce,
    issuedAt: isoTime(asked.now ?? Date.now()),
    ...overrides,
  })
  return { message, signature: await account.signMessage({ message }) }
}

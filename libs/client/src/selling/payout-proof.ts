import { listings } from '@callboard/contract'
import { type Caip2, chainIdOf } from '@callboard/values'
import { parseSiweMessage } from 'viem/siwe'
import { type Api, ApiUnreachable } from '../api.ts'
import { type MessageSigner, signFor } from '../signed-message.ts'

/** Listings are paid on EVM chains only; nothing was signed. */
export class UnsupportedNetwork extends Error {
  override readonly name = 'UnsupportedNetwork'
}

/**
 * The payout wallet's consent to a listing that is paid on a network. Of the message that the service proposes, only the
 * nonce and its own domain are signed.
 * @param api with a seller's API key
 * @throws WrongOrigin, UnsupportedNetwork
 */
export async function payoutProof(
  api: Api,
  wallet: MessageSigner,
  network: Caip2,
): Promise<{ readonly message: string; readonly signature: string }> {
  const chainId = chainIdOf(network)
  if (chainId === undefined) throw new UnsupportedNetwork(`No listing is paid on ${network}`)
  const { nonce, message } = await api.call(listings.payoutNonce, { wallet: wallet.address })
  if (typeof message !== 'string') throw new ApiUnreachable(`${api.baseUrl} takes no listings on any network right now`)
  const { domain = '', uri = '' } = parseSiweMessage(message)
  return signFor(api, wallet, { nonce, domain, uri, purpose: 'publish', chainId })
}

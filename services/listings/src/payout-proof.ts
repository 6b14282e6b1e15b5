import { STATEMENTS } from '@callboard/contract'
import { checkSiwe, contractSignatureVerifier, hasSplitters, siweProblem } from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import { consumeNonce } from '@callboard/store'
import { type Address, type Caip2, chainIdOf, isRefusal, refuse } from '@callboard/values'
import type { ListingsContext } from './context.ts'
import { unlessChainUnavailable } from './unless-chain-unavailable.ts'

/** A payout wallet's signed consent that a listing may pay out to it. */
export interface PayoutProof {
  readonly payoutWallet: Address
  /** The network on which the listing is paid. */
  readonly network: Caip2
  readonly message: string
  readonly signature: string
}

/**
 * Checks that the payout wallet signed the message for publishing. The nonce is returned for the caller to spend;
 * without that, the proof could be used again. A key is the same on every chain; a contract consents only on the chain
 * on which it is paid, since on another one a third party may have deployed at its address.
 */
export async function checkPayoutProof(
  ctx: ListingsContext,
  { payoutWallet, network, message, signature }: PayoutProof,
) {
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const { chains, clients } = ctx.resources
  const expect = {
    domain: host,
    uri: origin,
    statement: STATEMENTS.publish,
    chainIds: [...chains.values()].filter(hasSplitters).map(({ chainId }) => chainId),
  }
  const check = await unlessChainUnavailable(ctx, () =>
    checkSiwe({
      message,
      signature,
      now: ctx.clock.now(),
      expect,
      verifyContractSignature: contractSignatureVerifier(clients),
    }),
  )
  if (isRefusal(check)) return check
  if (!check.ok) {
    return refuse('invalid_signature', { message: `The message is refused: ${siweProblem(check.reason, expect)}.` })
  }
  if (check.address !== payoutWallet) {
    return refuse('invalid_signature', { field: 'payoutWallet', message: 'The message is not from the payout wallet.' })
  }
  const chainId = chainIdOf(network)
  if (check.provedBy === 'contract' && check.chainId !== chainId) {
    return refuse('invalid_signature', {
      message: `The message is refused: the payout wallet is a contract, and the listing is paid on ${network}. Sign a message with Chain ID ${chainId}.`,
    })
  }
  return { nonce: check.nonce }
}

/** Spends the nonce of a proof. */
export async function spendNonce(ctx: ListingsContext, nonce: string) {
  const spent = await unlessUnavailable(ctx, 'nonce store', () => consumeNonce(ctx.counters, 'publish', nonce))
  if (isRefusal(spent)) return spent
  if (spent) return undefined
  return refuse('invalid_signature', {
    message: 'The nonce was not issued for publishing, was already used, or is too old.',
  })
}

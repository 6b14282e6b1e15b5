import { STATEMENTS } from '@callboard/contract'
import { checkSiwe, contractSignatureVerifier, isChainOutage, siweProblem } from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import { consumeNonce } from '@callboard/store'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsContext } from '../context.ts'

const refused = (why: string) =>
  refuse('invalid_agent_signature', { field: 'agent_message', message: `The agent_message is refused: ${why}.` })

/**
 * Proves control of an agent's wallet by an EIP-4361 message for the purpose `link`, which spends its nonce.
 * @refuses invalid_agent_signature · temporarily_unavailable when a contract wallet's chain or the nonce store does not
 * answer
 */
export async function proveWallet(ctx: AgentsContext, message: string, signature: string) {
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const { chains, clients } = ctx.resources
  const chainIds = [...chains.values()].map((chain) => chain.chainId)
  const expect = { domain: host, uri: origin, statement: STATEMENTS.link, chainIds }
  const ask = () =>
    checkSiwe({
      ...{ message, signature, now: ctx.clock.now() },
      expect,
      verifyContractSignature: contractSignatureVerifier(clients),
    })
  const check = await unlessUnavailable(ctx, 'chain of the message', ask, isChainOutage)
  if (isRefusal(check)) return check
  if (!check.ok) return refused(siweProblem(check.reason, expect))
  const spent = await unlessUnavailable(ctx, 'nonce store', () => consumeNonce(ctx.counters, 'link', check.nonce))
  if (isRefusal(spent)) return spent
  if (!spent) return refused('its nonce was not issued for linking, was already used, or is too old')
  return { wallet: check.address }
}

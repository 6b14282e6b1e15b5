import { agentClientId, type agents, type InputOf, x402Facilitator } from '@callboard/contract'
import { isUnavailable, unavailable, unlessUnavailable } from '@callboard/runtime'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler } from '../context.ts'
import { answerOf, notPayee, notServed, paymentOf, ruleOn } from '../domain/transfer.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { latestLink } from '../store/link.repository.ts'
import { isNotBegun } from '../unavailable.ts'

/**
 * The links are checked once, before anything is sent. A link that has ended by then moves nothing; one that ends while
 * the chain works was valid when the transfer was accepted, and the money cannot be called back.
 */
export const relayTransfer: AgentsHandler<typeof agents.relayTransfer> = async ({ requester, ...transfer }, ctx) => {
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  const { network, authorization } = transfer
  const payee = await latestLink(ctx.db, link.owner, agentClientId(authorization.to))
  const ruling = ruleOn(authorization, link, payee?.state)
  if (isRefusal(ruling)) return ruling
  const chain = ctx.resources.chains.get(network)
  if (!chain) return notServed
  if (ruling === 'report') {
    const { from, nonce } = authorization
    const payment = { network, asset: chain.usdc.address, from, nonce }
    const known = await unlessUnavailable(ctx, 'facilitator', () => ctx.call(x402Facilitator.status, payment))
    if (isRefusal(known)) return known
    if (known.state === 'absent' || known.state === 'failed') return notPayee
  }
  const settled = await settle(ctx, { ...paymentOf(transfer, chain), requester })
  return isRefusal(settled) ? settled : answerOf(settled)
}

/** Asks the facilitator. Even without an answer, the transfer may have been accepted. */
async function settle(ctx: AgentsCallingContext, payment: InputOf<typeof x402Facilitator.settle>) {
  try {
    return await ctx.call(x402Facilitator.settle, payment)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const refusal = unavailable(ctx, 'facilitator', error)
    if (isNotBegun(error)) return refusal
    const message = 'The outcome of the transfer is not known. Repeat it with the same authorization.'
    return { ...refusal, message }
  }
}

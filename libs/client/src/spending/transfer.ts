import { agents, x402Facilitator } from '@callboard/contract'
import type { Address } from '@callboard/values'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Api, ApiRefusal, ApiUnreachable } from '../api.ts'
import { isUsdc } from '../selling/usdc.ts'
import type { Signed } from './entry.ts'
import { OutcomeUnknown, RefusedByPolicy } from './errors.ts'
import type { SpendingWallet } from './spending-wallet.ts'

/** This agent cannot move any of the service's tokens: the network has none, or none that the agent knows. */
export class NoToken extends Error {
  override readonly name = 'NoToken'
}

export interface TransferRequest {
  /** The agent's owner, or another agent of theirs. */
  readonly payTo: string
  /** Whether that is the owner: returning their own money is not spending. */
  readonly toOwner: boolean
  /** Base units of USDC. */
  readonly amount: bigint
  /** CAIP-2; when absent, the first network on which the service settles a token that the agent knows. */
  readonly network?: string | undefined
}

export interface Transferred {
  readonly network: string
  readonly payTo: string
  readonly amount: bigint
  readonly transaction: string
  /** An earlier call signed it and did not learn its outcome. */
  readonly repeated: boolean
}

/** How long an authorization is valid: enough time to repeat it, and not much more. */
const VALID_FOR_S = 600

/**
 * Moves USDC to the agent's owner or to a sibling, through the service, which pays the gas. The order is stored before
 * it is sent: the same request sends the same order until its outcome is known, so that nothing moves twice.
 * @throws RefusedByPolicy, NoToken, ApiRefusal, OutcomeUnknown
 */
export async function transfer(wallet: SpendingWallet, api: Api, request: TransferRequest): Promise<Transferred> {
  const { payTo, toOwner, amount } = request
  const scheme = new ExactEvmScheme(wallet.account)
  const offered = await offeredBy(api)
  const token = offered.find(
    ({ network, asset }) =>
      (request.network === undefined || network === request.network) &&
      (isUsdc(network, asset as Address) || isKnown(wallet, network, asset)),
  )
  if (!token)
    throw new NoToken(
      `${api.baseUrl} settles no USDC that this client knows${request.network ? ` on ${request.network}` : ''}`,
    )
  const { network } = token
  const requirements = { ...token, payTo, amount: amount.toString(), maxTimeoutSeconds: VALID_FOR_S }
  const sign = async () => (await scheme.createPaymentPayload(2, requirements)).payload as Signed
  const ordered = await wallet.ledger.order(wallet.policy, { url: api.baseUrl, network, payTo, amount, toOwner }, sign)
  if (!('id' in ordered)) throw new RefusedByPolicy(`Not transferred: ${ordered.reason}.`)
  const { id, signed, repeated } = ordered
  try {
    const { transaction } = await api.call(agents.relayTransfer, { network, ...signed })
    await wallet.ledger.conclude(id, 'settled', { transaction })
    return { network, payTo, amount, transaction, repeated }
  } catch (error) {
    if (isUnknown(error)) {
      await wallet.ledger.conclude(id, 'unknown')
      const again = 'Repeat the same transfer: that sends the same authorization, which moves the money once.'
      throw new OutcomeUnknown(`The outcome of the transfer is not known. ${again}`, {
        repeatable: true,
        cause: error,
      })
    }
    if (!isOver(error)) throw error
    await wallet.ledger.conclude(id, 'refused')
    // The earlier signature expired unused: it moved nothing, and no longer can.
    if (repeated && error.field === 'authorization.validBefore') return transfer(wallet, api, request)
    throw error
  }
}

/** What the service's own offer asks for on its networks: token and EIP-712 domain of each. */
async function offeredBy({ baseUrl }: Api) {
  const { method = 'POST', path = '' } = x402Facilitator.decode.http ?? {}
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: '{}' }).catch((error: unknown) => {
    throw new ApiUnreachable(`${baseUrl} cannot be reached`, { cause: error })
  })
  const header = answer.headers.get('payment-required')
  if (!header) throw new ApiUnreachable(`${baseUrl} answered ${answer.status} without an offer`)
  return decodePaymentRequiredHeader(header).accepts
}

const isKnown = ({ assets = [] }: SpendingWallet, network: string, asset: string) =>
  assets.some((known) => known.network === network && known.asset.toLowerCase() === asset.toLowerCase())

/** Whether the service may have accepted the transfer without saying so. */
const isUnknown = (error: unknown) =>
  error instanceof ApiUnreachable || (error instanceof ApiRefusal && error.status >= 500)

/** Whether the service has said that the authorization will move nothing. */
const isOver = (error: unknown): error is ApiRefusal =>
  error instanceof ApiRefusal && [400, 403, 422].includes(error.status)

import type { FacilitatorRequest } from '@callboard/contract'
import { clientOf } from '@callboard/evm'
import { type Refusal, refuse, unixSeconds } from '@callboard/values'
import {
  type ChainFacts,
  type Confirmation,
  type ExactTransfer,
  type PresentedPayment,
  type Reason,
  reasonIn,
  recover,
  type SettleResponse,
  signedByPayer,
  transferDigest,
} from '@callboard/x402'
import { isUsed } from '../../chain/sent-facts.ts'
import { paysUs } from '../../config.ts'
import type { FacilitatorContext } from '../../context.ts'
import { type Admission, admit, type NotAdmitted, type ReadPayment } from '../../domain/admission.ts'
import { notSettled } from '../../domain/settle-outcome.ts'
import { keyOf } from '../../store/payment.repository.ts'
import { suffixOf } from '../batching/ask-chain.ts'
import { isSameAuthorization, transferMovement } from '../payment-terms.ts'

/** A payment that its payer has signed. Nothing is written under a payment key before a payment is authentic. */
export interface Authentic {
  readonly x402Version: 1 | 2
  readonly key: string
  readonly transfer: ExactTransfer
  readonly request: FacilitatorRequest
  /** From which confirmation it counts for this caller; never for another, so that no payer chooses for its seller. */
  readonly policy: Confirmation
  /** The parsed request; absent where only the stored outcome matters: the window is over, the authorization unused. */
  readonly payment?: PresentedPayment
  /** Its window is over and its signature public: anyone may present it, so its claim on what it bought is ignored. */
  readonly isOver?: true
}

export type Authentication =
  | { readonly ok: true; readonly authentic: Authentic }
  | {
      readonly ok: false
      readonly response: SettleResponse
      /** Set where the seller's own offer is at fault, so that no payment of it can succeed. */
      readonly refusal?: Refusal<'invalid_request'>
    }

/** The checks of a request that need no chain. */
export const admission = (ctx: FacilitatorContext, request: FacilitatorRequest, v1: boolean): Admission =>
  admit(request, {
    tokens: ctx.resources.tokens,
    v1Networks: ctx.resources.v1Networks,
    v1,
    now: unixSeconds(ctx.clock.now()),
    marginSeconds: ctx.resources.marginSeconds,
    signers: ctx.resources.keys.addresses(),
    confirmations: ctx.resources.confirmations,
  })

/**
 * Checks that a payment is what it claims and its payer's own. A known payment keeps its row: it is compared with the
 * claimed authorization, without the chain. A third party with a key but not its signature changes nothing.
 * @throws ChainUnavailable
 */
export async function authenticate(
  ctx: FacilitatorContext,
  request: FacilitatorRequest,
  { v1, claimsNext = false }: AuthenticateOptions,
): Promise<Authentication> {
  const admitted = admission(ctx, request, v1)
  if (admitted.ok) return authenticateTransfer(ctx, { ...admitted, request, admitted, claimsNext })
  const { outOfWindow } = admitted
  if (outOfWindow) return authenticateTransfer(ctx, { ...outOfWindow, request, admitted, claimsNext })
  const refusal = offerFault(admitted)
  return { ...no(request, admitted), ...(refusal ? { refusal } : {}) }
}

interface Presented extends ReadPayment {
  readonly request: FacilitatorRequest
  readonly admitted: Admission
  readonly claimsNext: boolean
}

async function authenticateTransfer(
  ctx: FacilitatorContext,
  { request, admitted, payment, transfer, policy, claimsNext }: Presented,
): Promise<Authentication> {
  const { x402Version, authorization } = transfer
  const refused = (reason: Reason) => no(request, { reason: reasonIn(x402Version, reason), payer: authorization.from })
  const isSigned = await isSignedByPayer(ctx, transfer)
  const key = keyOf(transfer)
  const isClaimedNext = claimsNext && isSigned && admitted.ok
  const known = isClaimedNext ? undefined : await ctx.resources.batcher.find(key)
  const authentic = {
    x402Version,
    key,
    transfer,
    request,
    policy,
    ...(admitted.ok ? { payment } : {}),
  }

  if (known && known.state !== 'refused') {
    if (!isSameAuthorization(known, transfer)) return refused('invalid_exact_evm_nonce_already_used')
    if (!isSigned && known.signature !== transfer.signature) return refused('invalid_exact_evm_signature')
    return { ok: true, authentic }
  }
  if (!admitted.ok) {
    const isMade = !paysUs(ctx.config, transfer.payTo) && (await wasUsed(ctx, transfer, isSigned))
    return isMade ? { ok: true, authentic: { ...authentic, payment, isOver: true } } : no(request, admitted)
  }
  if (!(await ctx.resources.tokenChecks.holds(transfer.network))) return refused('invalid_network')
  if (!isSigned) {
    const { facts, verdict } = await ctx.resources.batcher.ask({ transfer, suffix: suffixOf(ctx, admitted.payment) })
    if (!verdict.ok && !(facts && isContractsWord(facts))) return refused(verdict.reason)
  }
  return { ok: true, authentic }
}

export interface AuthenticateOptions {
  readonly v1: boolean
  /** The caller claims the key next, and compares a payment that is already known with its row. Default false. */
  readonly claimsNext?: boolean
}

/**
 * Whether an authorization out of its window was used within it, and is its payer's own. It may have paid with it,
 * which the chain is asked once it is claimed. One that pays us buys nothing: the chain shows its signature to all.
 */
async function wasUsed(ctx: FacilitatorContext, transfer: ExactTransfer, isSigned: boolean): Promise<boolean> {
  const { network } = transfer
  const { batcher, clients, tokenChecks } = ctx.resources
  if (!(await tokenChecks.holds(network))) return false
  if (!(await isUsed(clientOf(clients, network), network, transferMovement(transfer)))) return false
  if (isSigned) return true
  const { facts } = await batcher.ask({ transfer, suffix: '0x' })
  return facts !== undefined && isContractsWord(facts)
}

/** A signature that the token accepted just now is not recovered again. */
const isSignedByPayer = async ({ resources }: FacilitatorContext, transfer: ExactTransfer): Promise<boolean> =>
  resources.recentProofs.has(transfer) ||
  signedByPayer(transfer, await recover(transferDigest(transfer), transfer.signature))

/** What the seller has to fix before a payment of its offer can succeed. */
const offerFault = (admitted: NotAdmitted) =>
  admitted.field !== undefined
    ? refuse('invalid_request', { field: admitted.field, message: admitted.message ?? admitted.reason })
    : undefined

const no = (request: FacilitatorRequest, why: Pick<NotAdmitted, 'reason' | 'message' | 'payer'>) => ({
  ok: false as const,
  response: notSettled(why, request.paymentRequirements),
})

const isContractsWord = ({ payerCode, erc1271Valid }: ChainFacts) => payerCode !== '0x' && erc1271Valid === true

import { clientOf } from '@callboard/evm'
import type { Address, Caip2, Hex } from '@callboard/values'
import {
  type ExactTransfer,
  encodeBuilderCodeSuffix,
  judgeChainFacts,
  type PresentedPayment,
  readBuilderCodes,
  reasonIn,
  recover,
  signatureFault,
  signedByPayer,
  transferDigest,
} from '@callboard/x402'
import { legOf } from '../../chain/batch-call.ts'
import { readPayerCode, readPayerFacts, readPoorFacts, transferCalldata } from '../../chain/payer-facts.ts'
import { type LensAnswer, readLens } from '../../chain/payer-lens.ts'
import type { BatchingContext, FacilitatorContext } from '../../context.ts'
import type { Answer, Question } from './batcher.ts'

/** A payment's builder codes as a calldata suffix, with our own code added; "0x" when it carries none. */
export function suffixOf({ config }: FacilitatorContext, { extensions }: PresentedPayment): Hex {
  const codes = readBuilderCodes(extensions)
  if (!codes) return '0x'
  const { a, s } = codes
  const w = config.FACILITATOR_BUILDER_CODE
  return encodeBuilderCodeSuffix({ ...(a ? { a } : {}), ...(w ? { w } : {}), ...(s ? { s } : {}) })
}

/**
 * Asks the chain about transfers. All are tried on the token in one call. One that fails there is asked about alone, to
 * find the reason: payments of one payer may get in each other's way, or a contract wallet may need more gas. Its
 * answer is its own: a payer's code may keep a node from answering, and nobody else waits or fails for that.
 * @throws ChainUnavailable
 */
export async function askAll(
  ctx: BatchingContext,
  network: Caip2,
  questions: readonly Question[],
): Promise<(Answer | Promise<Answer>)[]> {
  const sender = ctx.resources.fees.sender(network)
  const tried = await tryOnToken(ctx, network, questions, sender)
  return questions.map((question, index) => {
    const seen = tried[index]
    return seen?.taken ? takenBy(sender, seen) : askAlone(ctx, question, { sender, seen })
  })
}

const takenBy = (sender: Address, { balance, hasCode }: LensAnswer): Answer => ({
  verdict: { ok: true },
  authorizationUsed: false,
  balance,
  hasCode,
  batchable: !hasCode,
  sender,
  paused: false,
})

async function tryOnToken(
  { resources, config, log }: BatchingContext,
  network: Caip2,
  questions: readonly Question[],
  sender: Address,
): Promise<(LensAnswer | undefined)[]> {
  const legs = questions.flatMap(({ transfer }, index) =>
    signatureFault(transfer.signature) === undefined ? [{ index, leg: legOf(transfer) }] : [],
  )
  const [asset] = questions.map(({ transfer }) => transfer.asset)
  const answers: (LensAnswer | undefined)[] = questions.map(() => undefined)
  if (!asset || legs.length === 0) return answers
  const terms = { network, asset, legGas: BigInt(config.BATCH_LEG_GAS), sender }
  const seen = await readLens(
    clientOf(resources.clients, network),
    terms,
    legs.map(({ leg }) => leg),
  )
  if (!seen) {
    resources.meters.lensLost.inc({ network })
    log.warn(
      { network, payments: legs.length },
      'a node did not run the payment lens; payments are asked about one by one',
    )
  }
  for (const [at, { index }] of legs.entries()) answers[index] = seen?.[at]
  return answers
}

interface Alone {
  readonly sender: Address
  /** What the lens has seen. */
  readonly seen: LensAnswer | undefined
}

/**
 * Where the payer's key did not sign, only its code can accept the signature. A payer without code is refused before
 * anything else is read: a forgery costs its sender nothing. Neither does a wallet without money: of that, only what may
 * be another reason is read.
 */
async function askAlone(
  { resources, config }: BatchingContext,
  { transfer, suffix }: Question,
  { sender, seen }: Alone,
): Promise<Answer> {
  const client = clientOf(resources.clients, transfer.network)
  const recovered = await recover(transferDigest(transfer), transfer.signature)
  let code: Hex | undefined
  if (!signedByPayer(transfer, recovered) && !seen?.hasCode) {
    code = seen === undefined ? await readPayerCode(client, transfer) : '0x'
    if (code === '0x') return forged(transfer, sender)
  }
  const isPoor = seen !== undefined && !seen.hasCode && seen.balance < BigInt(transfer.amount)
  const terms = { gas: BigInt(config.GAS_LIMIT), sender, code }
  const facts = isPoor
    ? await readPoorFacts(client, transfer, seen.balance)
    : await readPayerFacts(client, transfer, transferCalldata(transfer, suffix), terms)
  return {
    verdict: judgeChainFacts(transfer, recovered, facts),
    authorizationUsed: facts.authorizationUsed === true,
    balance: facts.balance,
    hasCode: facts.payerCode !== '0x',
    batchable: false,
    sender,
    paused: facts.paused,
    facts,
  }
}

/** The answer about a payment that its payer did not sign. Its other facts are not read. */
const forged = ({ x402Version }: ExactTransfer, sender: Address): Answer => ({
  verdict: { ok: false, reason: reasonIn(x402Version, 'invalid_exact_evm_signature') },
  authorizationUsed: false,
  balance: 0n,
  hasCode: false,
  batchable: false,
  sender,
  paused: false,
})

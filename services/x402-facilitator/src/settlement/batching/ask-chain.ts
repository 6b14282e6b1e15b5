import { clientOf } from '@callboard/evm'
import type { Address, Caip2, Hex } from '@callboard/values'
import {
  encodeBuilderCodeSuffix,
  judgeChainFacts,
  type PresentedPayment,
  readBuilderCodes,
  recover,
  signatureFault,
  transferDigest,
} from '@callboard/x402'
import { legOf } from '../../chain/batch-call.ts'
import { readPayerFacts, transferCalldata } from '../../chain/payer-facts.ts'
import { readLens } from '../../chain/payer-lens.ts'
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
  return questions.map((question, index) => tried[index] ?? askAlone(ctx, question, sender))
}

async function tryOnToken(
  { resources, config, log }: BatchingContext,
  network: Caip2,
  questions: readonly Question[],
  sender: Address,
): Promise<(Answer | undefined)[]> {
  const legs = questions.flatMap(({ transfer }, index) =>
    signatureFault(transfer.signature) === undefined ? [{ index, leg: legOf(transfer) }] : [],
  )
  const [asset] = questions.map(({ transfer }) => transfer.asset)
  const answers: (Answer | undefined)[] = questions.map(() => undefined)
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
  for (const [at, { index }] of legs.entries()) {
    const one = seen?.[at]
    if (!one?.taken) continue
    answers[index] = {
      verdict: { ok: true },
      authorizationUsed: false,
      balance: one.balance,
      hasCode: one.hasCode,
      batchable: !one.hasCode,
      sender,
      paused: false,
    }
  }
  return answers
}

async function askAlone(
  { resources, config }: BatchingContext,
  { transfer, suffix }: Question,
  sender: Address,
): Promise<Answer> {
  const client = clientOf(resources.clients, transfer.network)
  const [facts, recovered] = await Promise.all([
    readPayerFacts(client, transfer, transferCalldata(transfer, suffix), { gas: BigInt(config.GAS_LIMIT), sender }),
    recover(transferDigest(transfer), transfer.signature),
  ])
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

import { clientOf } from '@callboard/evm'
import type { Caip2, Hex } from '@callboard/values'
import {
  type ChainVerdict,
  type ExactTransfer,
  encodeBuilderCodeSuffix,
  judgeChainFacts,
  type PresentedPayment,
  readBuilderCodes,
  recover,
  signatureFault,
  transferDigest,
} from '@callboard/x402'
import { legOf } from '../chain/batch-call.ts'
import { type PayerFacts, readPayerFacts, transferCalldata } from '../chain/payer-facts.ts'
import { readLens } from '../chain/payer-lens.ts'
import type { FacilitatorKit, JointKit } from '../kit.ts'

/** The builder codes of a payment as the suffix of its calldata, our own code added; "0x" when it carries none. */
export function suffixOf({ config }: FacilitatorKit, { extensions }: PresentedPayment): Hex {
  const codes = readBuilderCodes(extensions)
  if (!codes) return '0x'
  const { a, s } = codes
  const w = config.FACILITATOR_BUILDER_CODE
  return encodeBuilderCodeSuffix({ ...(a ? { a } : {}), ...(w ? { w } : {}), ...(s ? { s } : {}) })
}

export interface Question {
  readonly transfer: ExactTransfer
  readonly suffix: Hex
}

/** Whether the token would take a transfer, and what of it the next step needs. */
export interface Answer {
  readonly verdict: ChainVerdict
  readonly authorizationUsed: boolean
  readonly balance: bigint
  /** The payer has no code and the transfer needs no more gas than a leg of a batch gets. */
  readonly batchable: boolean
  /** What was read one by one, where the token did not take the transfer at once. */
  readonly facts?: PayerFacts
}

/**
 * What the chain says of transfers. All of them are tried on the token in one call; whoever is not taken there is asked
 * about alone, for the reason: his own payments may be in each other's way, or a contract wallet may need more gas.
 * @throws ChainAway
 */
export async function askAll(kit: JointKit, network: Caip2, questions: readonly Question[]): Promise<Answer[]> {
  const tried = await tryOnToken(kit, network, questions)
  return Promise.all(questions.map((question, index) => tried[index] ?? askAlone(kit, question)))
}

async function tryOnToken(
  { parts, config }: JointKit,
  network: Caip2,
  questions: readonly Question[],
): Promise<(Answer | undefined)[]> {
  const legs = questions.flatMap(({ transfer }, index) =>
    signatureFault(transfer.signature) === undefined ? [{ index, leg: legOf(transfer) }] : [],
  )
  const [asset] = questions.map(({ transfer }) => transfer.asset)
  const answers: (Answer | undefined)[] = questions.map(() => undefined)
  if (!asset || legs.length === 0) return answers
  const terms = { network, asset, legGas: BigInt(config.BATCH_LEG_GAS) }
  const seen = await readLens(
    clientOf(parts.clients, network),
    terms,
    legs.map(({ leg }) => leg),
  )
  for (const [at, { index }] of legs.entries()) {
    const one = seen?.[at]
    if (!one?.taken) continue
    answers[index] = {
      verdict: { ok: true },
      authorizationUsed: false,
      balance: one.balance,
      batchable: !one.hasCode,
    }
  }
  return answers
}

async function askAlone({ parts, config }: JointKit, { transfer, suffix }: Question): Promise<Answer> {
  const client = clientOf(parts.clients, transfer.network)
  const [facts, recovered] = await Promise.all([
    readPayerFacts(client, transfer, transferCalldata(transfer, suffix), BigInt(config.GAS_LIMIT)),
    recover(transferDigest(transfer), transfer.signature),
  ])
  return {
    verdict: judgeChainFacts(transfer, recovered, facts),
    authorizationUsed: facts.authorizationUsed === true,
    balance: facts.balance,
    batchable: false,
    facts,
  }
}

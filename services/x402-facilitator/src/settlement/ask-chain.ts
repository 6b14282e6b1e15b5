import { clientOf } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import {
  type ChainVerdict,
  type ExactTransfer,
  encodeBuilderCodeSuffix,
  judgeChainFacts,
  type PresentedPayment,
  readBuilderCodes,
  recover,
  transferDigest,
} from '@callboard/x402'
import { type PayerFacts, readPayerFacts, transferCalldata } from '../chain/payer-facts.ts'
import type { FacilitatorKit } from '../kit.ts'

/** The builder codes of a payment as the suffix of its calldata, our own code added; "0x" when it carries none. */
export function suffixOf({ config }: FacilitatorKit, { extensions }: PresentedPayment): Hex {
  const codes = readBuilderCodes(extensions)
  if (!codes) return '0x'
  const { a, s } = codes
  const w = config.FACILITATOR_BUILDER_CODE
  return encodeBuilderCodeSuffix({ ...(a ? { a } : {}), ...(w ? { w } : {}), ...(s ? { s } : {}) })
}

/**
 * What the chain says of a transfer, and whether the token would take it.
 * @throws ChainAway
 */
export async function askChain(
  { parts, config }: FacilitatorKit,
  transfer: ExactTransfer,
  suffix: Hex,
): Promise<{ facts: PayerFacts; verdict: ChainVerdict }> {
  const client = clientOf(parts.clients, transfer.network)
  const [facts, recovered] = await Promise.all([
    readPayerFacts(client, transfer, transferCalldata(transfer, suffix), BigInt(config.GAS_LIMIT)),
    recover(transferDigest(transfer), transfer.signature),
  ])
  return { facts, verdict: judgeChainFacts(transfer, recovered, facts) }
}

import type { Address, Hex } from '@callboard/values'
import type { RawLog, Settlement } from './chain-data.ts'
import { checksummed } from './checksummed.ts'
import { AUTHORIZATION_USED, TRANSFER } from './topics.ts'

const WORD = 66 // 0x and 32 bytes
const NO_PADDING = '0'.repeat(24)
const NOTHING = `0x${'0'.repeat(64)}`

/**
 * The settlements among logs: an `AuthorizationUsed(authorizer, nonce)` of the token whose next log of the same emitter
 * in the same transaction is `Transfer(authorizer → payTo, value)`. Logs of other emitters may stand between the two, as
 * on Arc, whose system emitter repeats each transfer with 18 decimals. Transfers without authorization are left out, and
 * transfers of nothing, which settle nothing.
 * @param logs the token's logs with these two topics, in any order; other emitters' are passed over
 * @param token in any letter case
 * @returns in the order of the chain
 * @source EIP-3009; FiatTokenV2 marks the nonce as used, then transfers
 */
export function settlementsIn(logs: readonly RawLog[], token: Address): Settlement[] {
  const emitter = token.toLowerCase()
  const found: Settlement[] = []
  let used: RawLog | undefined
  for (const log of inChainOrder(logs.filter((candidate) => candidate.address === emitter))) {
    if (used && isTransferOf(used, log) && log.data !== NOTHING) found.push(settlement(used, log))
    used = isAuthorizationUsed(log) ? log : undefined
  }
  return found
}

/**
 * Nodes answer in this order; sorting what is sorted costs one pass. Of one place there is one log, whatever a node says:
 * else it would have two settlements.
 */
function inChainOrder(logs: readonly RawLog[]): RawLog[] {
  const sorted = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return sorted.filter((log, at) => {
    const before = sorted[at - 1]
    return before?.blockNumber !== log.blockNumber || before.logIndex !== log.logIndex
  })
}

const isAuthorizationUsed = ({ topics }: RawLog) =>
  topics.length === 3 && topics[0] === AUTHORIZATION_USED && isAddressWord(topics[1])

const isTransferOf = (used: RawLog, log: RawLog) =>
  log.txHash === used.txHash &&
  log.blockNumber === used.blockNumber &&
  log.topics.length === 3 &&
  log.topics[0] === TRANSFER &&
  log.topics[1] === used.topics[1] &&
  isAddressWord(log.topics[2]) &&
  log.data.length === WORD

const isAddressWord = (word: string | undefined) => word?.length === WORD && word.startsWith(NO_PADDING, 2)

/** The address in a topic. */
const addressOf = (word: Hex) => checksummed(`0x${word.slice(26)}`)

const settlement = (used: RawLog, transfer: RawLog): Settlement => ({
  txHash: transfer.txHash,
  logIndex: transfer.logIndex,
  blockNumber: transfer.blockNumber,
  blockHash: transfer.blockHash,
  blockTimestamp: transfer.blockTimestamp,
  payer: addressOf(transfer.topics[1] as Hex),
  payTo: addressOf(transfer.topics[2] as Hex),
  amount: BigInt(transfer.data).toString(),
  nonce: used.topics[2] as Hex,
})

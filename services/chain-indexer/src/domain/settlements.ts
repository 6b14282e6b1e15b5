import type { Address, Hex } from '@callboard/values'
import type { RawLog, Settlement } from './chain-data.ts'
import { addressOf, isAddressWord, logsOf, placeOf } from './logs.ts'
import { AUTHORIZATION_USED, TRANSFER } from './topics.ts'

const WORD = 66 // 0x and 32 bytes
const NOTHING = `0x${'0'.repeat(64)}`

/**
 * The settlements among logs: an `AuthorizationUsed(authorizer, nonce)` of the token whose next log of the same emitter
 * in the same transaction is `Transfer(authorizer → payTo, value)`. Logs of other emitters may be between the two, as
 * on Arc, whose system emitter repeats each transfer with 18 decimals. Transfers without authorization are omitted, and
 * so are transfers of zero, which settle nothing.
 * @param logs the token's logs with these two topics, in any order; other emitters' are ignored
 * @param token in any letter case
 * @returns in chain order
 * @source EIP-3009; FiatTokenV2 marks the nonce as used, then transfers
 */
export function settlementsIn(logs: readonly RawLog[], token: Address): Settlement[] {
  const found: Settlement[] = []
  let used: RawLog | undefined
  for (const log of logsOf(logs, token)) {
    if (used && isTransferOf(used, log) && log.data !== NOTHING) found.push(settlement(used, log))
    used = isAuthorizationUsed(log) ? log : undefined
  }
  return found
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

const settlement = (used: RawLog, transfer: RawLog): Settlement => ({
  ...placeOf(transfer),
  payer: addressOf(transfer.topics[1] as Hex),
  payTo: addressOf(transfer.topics[2] as Hex),
  amount: BigInt(transfer.data).toString(),
  nonce: used.topics[2] as Hex,
})

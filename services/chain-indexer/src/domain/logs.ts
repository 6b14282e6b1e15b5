import type { Address, Hex } from '@callboard/values'
import type { RawLog } from './chain-data.ts'
import { checksummed } from './checksummed.ts'

const WORD = 66 // 0x and 32 bytes
const NO_PADDING = '0'.repeat(24)

/**
 * One emitter's logs in chain order. Nodes answer in this order; sorting sorted logs costs one pass. Only one log is
 * kept per position, even if a node sends more: else it would count twice.
 * @param emitter in any letter case
 */
export function logsOf(logs: readonly RawLog[], emitter: Address): RawLog[] {
  const address = emitter.toLowerCase()
  const sorted = logs
    .filter((log) => log.address === address)
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return sorted.filter((log, at) => {
    const before = sorted[at - 1]
    return before?.blockNumber !== log.blockNumber || before.logIndex !== log.logIndex
  })
}

export const isAddressWord = (word: string | undefined): word is Hex =>
  word?.length === WORD && word.startsWith(NO_PADDING, 2)

/** The address in a topic. */
export const addressOf = (word: Hex): Address => checksummed(`0x${word.slice(26)}`)

/** The words of a log's data as base units; undefined if their number differs. */
export function unitsIn({ data }: RawLog, words: number): readonly string[] | undefined {
  if (data.length !== 2 + 64 * words) return undefined
  return Array.from({ length: words }, (_, at) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`).toString())
}

/** The position of a log. */
export const placeOf = ({ txHash, logIndex, blockNumber, blockHash, blockTimestamp }: RawLog) => ({
  ...{ txHash, logIndex, blockNumber, blockHash, blockTimestamp },
})

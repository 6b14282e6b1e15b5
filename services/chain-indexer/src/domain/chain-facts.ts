import type { Address } from '@callboard/values'
import type { LogPlace, RawLog } from './chain-data.ts'
import { addressOf, isAddressWord, logsOf, placeOf, unitsIn } from './logs.ts'
import { SPLITTER_CREATED, TRANSFER } from './topics.ts'

/** A splitter was deployed for a payout wallet. */
export interface SplitterFact extends LogPlace {
  readonly splitter: Address
  readonly wallet: Address
}

/** The changes that one transfer makes to a token's supply and to its locked part; both may be negative. */
export interface SupplyFact extends LogPlace {
  /** Base units, decimal text. */
  readonly totalChange: string
  readonly lockedChange: string
}

/** The splitters that a factory logged, in chain order. @param factory in any letter case */
export const splittersIn = (logs: readonly RawLog[], factory: Address): SplitterFact[] =>
  logsOf(logs, factory).flatMap((log) => {
    const [topic, wallet, splitter] = log.topics
    const isCreated = topic === SPLITTER_CREATED && log.topics.length === 3
    return isCreated && isAddressWord(wallet) && isAddressWord(splitter)
      ? [{ ...placeOf(log), wallet: addressOf(wallet), splitter: addressOf(splitter) }]
      : []
  })

const ZERO = '0x0000000000000000000000000000000000000000'

/**
 * Transfers of a token that change its supply: from the zero address they mint, to it they burn; to the stake contract
 * they lock, and from it they unlock. Others are ignored.
 * @param lockedIn the stake contract, in any letter case
 */
export const suppliesIn = (logs: readonly RawLog[], token: Address, lockedIn: Address | undefined): SupplyFact[] =>
  logsOf(logs, token).flatMap((log) => {
    const [topic, from, to] = log.topics
    const [value] = unitsIn(log, 1) ?? []
    if (topic !== TRANSFER || log.topics.length !== 3 || !isAddressWord(from) || !isAddressWord(to)) return []
    if (value === undefined) return []
    const locked = lockedIn?.toLowerCase()
    const change = (end: string | undefined) => BigInt(value) * (BigInt(isAt(to, end)) - BigInt(isAt(from, end)))
    const [totalChange, lockedChange] = [-change(ZERO), change(locked)]
    return totalChange === 0n && lockedChange === 0n
      ? []
      : [{ ...placeOf(log), totalChange: totalChange.toString(), lockedChange: lockedChange.toString() }]
  })

const isAt = (word: string, address: string | undefined): boolean =>
  address !== undefined && word.endsWith(address.slice(2))

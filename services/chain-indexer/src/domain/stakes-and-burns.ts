import type { Address } from '@callboard/values'
import type { Burn, RawLog, Stake } from './chain-data.ts'
import { addressOf, isAddressWord, logsOf, placeOf, unitsIn } from './logs.ts'
import { BURNED, STAKED, UNSTAKED } from './topics.ts'

/**
 * The owners' stakes that the logs of a stake contract show. Both events carry the stake after the change.
 * @param contract in any letter case
 * @returns in chain order
 */
export const stakesIn = (logs: readonly RawLog[], contract: Address): Stake[] =>
  logsOf(logs, contract).flatMap((log) => {
    const [topic, owner] = log.topics
    const [, stake] = unitsIn(log, 2) ?? []
    const isChange = (topic === STAKED || topic === UNSTAKED) && log.topics.length === 2
    return isChange && isAddressWord(owner) && stake !== undefined
      ? [{ ...placeOf(log), owner: addressOf(owner), stake }]
      : []
  })

/**
 * The burns that a burn ledger logged.
 * @param ledger in any letter case
 * @returns in chain order
 */
export const burnsIn = (logs: readonly RawLog[], ledger: Address): Burn[] =>
  logsOf(logs, ledger).flatMap((log) => {
    const [topic, from] = log.topics
    const [amount] = unitsIn(log, 2) ?? []
    const isBurn = topic === BURNED && log.topics.length === 2
    return isBurn && isAddressWord(from) && amount !== undefined
      ? [{ ...placeOf(log), from: addressOf(from), amount }]
      : []
  })

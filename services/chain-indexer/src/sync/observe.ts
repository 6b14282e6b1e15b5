import type { ObservedBurn, ObservedSettlement, StakeChange } from '@callboard/contract'
import { type Address, type IsoTime, isoTime, SECOND_MS } from '@callboard/values'
import type { BlockHeader, Burn, LogPlace, RawLog, Settlement, Stake } from '../domain/chain-data.ts'
import { splittersIn, suppliesIn } from '../domain/chain-facts.ts'
import { identitiesIn } from '../domain/identities.ts'
import { settlementsIn } from '../domain/settlements.ts'
import { burnsIn, stakesIn } from '../domain/stakes-and-burns.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import { turns } from '../rpc/turns.ts'
import type { ChainFact } from '../store/chain-fact.repository.ts'
import type { ProviderRead } from './following.ts'

/** The content of logs, ready to be recorded. */
export interface Observed {
  readonly settlements: readonly ObservedSettlement[]
  readonly stakes: readonly StakeChange[]
  readonly burns: readonly ObservedBurn[]
  readonly facts: readonly ChainFact[]
}

export const NOTHING: Observed = { settlements: [], stakes: [], burns: [], facts: [] }

/**
 * Reads logs, with the times of their blocks. Submitters of settlements are not in the logs and not read here.
 * @param known headers that were read already
 */
export async function observe(
  read: ProviderRead,
  logs: readonly RawLog[],
  known: readonly BlockHeader[],
): Promise<Observed> {
  const { chain, contracts } = read.followed
  const { network, usdc } = chain
  const { stake: contract, burns: burned, splitterFactory, supply, registries } = contracts
  const found = await foundIn(logs, { token: usdc.address, contract, ledger: burned?.ledger })
  const splitters = splitterFactory ? splittersIn(logs, splitterFactory) : []
  const supplies = supply ? suppliesIn(logs, supply.token, contract) : []
  const identities = registries ? identitiesIn(logs, registries) : []
  const facts = [...splitters, ...supplies, ...identities.map(({ place }) => place)]
  const places = [...found.settlements, ...found.stakes, ...found.burns, ...facts]
  if (places.length === 0) return NOTHING
  const times = await timesOf(read, places, known)
  const placeOf = ({ txHash, logIndex, blockNumber, blockHash }: LogPlace) => ({
    ...{ network, txHash, logIndex, blockNumber: String(blockNumber), blockHash },
    observedAt: times.get(blockNumber) ?? isoTime(0),
  })
  const supplied = { token: supply?.token ?? usdc.address, decimals: supply?.decimals ?? 0 }
  return {
    settlements: found.settlements.map((one) => ({
      ...placeOf(one),
      payer: one.payer,
      payTo: one.payTo,
      asset: usdc.address,
      amount: one.amount,
      decimals: usdc.decimals,
      nonce: one.nonce,
      facilitator: null,
    })),
    stakes: contract
      ? found.stakes.map((one) => ({ ...placeOf(one), contract, owner: one.owner, stake: one.stake }))
      : [],
    facts: [
      ...splitters.map((one) => ({
        ...{ kind: 'splitter' as const, emitter: splitterFactory ?? '' },
        said: { ...placeOf(one), splitter: one.splitter, wallet: one.wallet },
      })),
      ...supplies.map((one) => ({
        ...{ kind: 'supply' as const, emitter: supply?.token ?? '' },
        said: { ...placeOf(one), ...supplied, totalChange: one.totalChange, lockedChange: one.lockedChange },
      })),
      ...identities.map(({ place, emitter, change }) => ({
        ...{ kind: 'identity' as const, emitter, said: { ...placeOf(place), ...change } },
      })),
    ],
    burns: burned ? found.burns.map((one) => ({ ...placeOf(one), ...burned, from: one.from, amount: one.amount })) : [],
  }
}

interface Found {
  readonly settlements: Settlement[]
  readonly stakes: Stake[]
  readonly burns: Burn[]
}

interface Emitters {
  readonly token: Address
  readonly contract: Address | undefined
  readonly ledger: Address | undefined
}

/** Works block by block: a settlement's two logs are in one transaction. */
async function foundIn(logs: readonly RawLog[], { token, contract, ledger }: Emitters): Promise<Found> {
  const byBlock = [...Map.groupBy(logs, ({ blockNumber }) => blockNumber)].toSorted(([a], [b]) => a - b)
  const found: Found = { settlements: [], stakes: [], burns: [] }
  const turn = turns()
  for (const [, ofBlock] of byBlock) {
    found.settlements.push(...settlementsIn(ofBlock, token))
    if (contract) found.stakes.push(...stakesIn(ofBlock, contract))
    if (ledger) found.burns.push(...burnsIn(ofBlock, ledger))
    const rest = turn()
    if (rest) await rest
  }
  return found
}

/** Adds the submitters of the settlements, where the node keeps the transactions. */
export async function withSubmissions({ provider, signal }: ProviderRead, observed: Observed): Promise<Observed> {
  const txHashes = new Set(observed.settlements.map(({ txHash }) => txHash))
  const submissions = await provider.submissions([...txHashes], signal)
  const settlements = observed.settlements.map((one) => ({ ...one, ...submissions.get(one.txHash) }))
  return { ...observed, settlements }
}

const timeOf = (seconds: number): IsoTime => isoTime(seconds * SECOND_MS)

/** Block times by height: from known headers, else from the logs, else from the node. */
async function timesOf(
  { provider, signal }: ProviderRead,
  places: readonly LogPlace[],
  known: readonly BlockHeader[],
): Promise<Map<number, IsoTime>> {
  const times = new Map(known.map(({ number, timestamp }) => [number, timeOf(timestamp)]))
  const hashes = new Map<number, string>()
  for (const { blockNumber, blockHash, blockTimestamp } of places) {
    if (times.has(blockNumber)) continue
    if (blockTimestamp === undefined) hashes.set(blockNumber, blockHash)
    else times.set(blockNumber, timeOf(blockTimestamp))
  }
  for (const header of await provider.headers([...hashes.keys()], signal)) {
    if (header.hash !== hashes.get(header.number))
      throw new ProviderError('inconsistent', `the logs of block ${header.number} are of another block`)
    times.set(header.number, timeOf(header.timestamp))
  }
  return times
}

import type { ObservedSettlement } from '@callboard/contract'
import type { Chain } from '@callboard/evm'
import { type Address, type IsoTime, isoTime, SECOND_MS } from '@callboard/values'
import type { BlockHeader, RawLog, Settlement } from '../domain/chain-data.ts'
import { settlementsIn } from '../domain/settlements.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import { turns } from '../rpc/turns.ts'

/**
 * The settlements among logs, with the times of their blocks. Who brought them is not in the logs and not read here.
 * @param known headers that were read already
 */
export async function observe(
  chain: Chain,
  provider: Provider,
  logs: readonly RawLog[],
  known: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<ObservedSettlement[]> {
  const settlements = await settlementsOf(logs, chain.usdc.address)
  if (settlements.length === 0) return []
  const times = await timesOf(provider, settlements, known, signal)
  return settlements.map((one) => ({
    network: chain.network,
    txHash: one.txHash,
    logIndex: one.logIndex,
    blockNumber: String(one.blockNumber),
    blockHash: one.blockHash,
    observedAt: times.get(one.blockNumber) ?? isoTime(0),
    payer: one.payer,
    payTo: one.payTo,
    asset: chain.usdc.address,
    amount: one.amount,
    decimals: chain.usdc.decimals,
    nonce: one.nonce,
    facilitator: null,
  }))
}

/** Block by block: a settlement's two logs are of one transaction. */
async function settlementsOf(logs: readonly RawLog[], token: Address): Promise<Settlement[]> {
  const byBlock = [...Map.groupBy(logs, ({ blockNumber }) => blockNumber)].toSorted(([a], [b]) => a - b)
  const settlements: Settlement[] = []
  const turn = turns()
  for (const [, ofBlock] of byBlock) {
    settlements.push(...settlementsIn(ofBlock, token))
    const rest = turn()
    if (rest) await rest
  }
  return settlements
}

/** The same settlements with who brought them, as far as the node keeps the transactions. */
export async function withSubmissions(
  provider: Provider,
  settlements: readonly ObservedSettlement[],
  signal: AbortSignal,
): Promise<ObservedSettlement[]> {
  const txHashes = new Set(settlements.map(({ txHash }) => txHash))
  const submissions = await provider.submissions([...txHashes], signal)
  return settlements.map((one) => ({ ...one, ...submissions.get(one.txHash) }))
}

const timeOf = (seconds: number): IsoTime => isoTime(seconds * SECOND_MS)

/** Block times by height: from known headers, from the logs, and where neither has it from the node. */
async function timesOf(
  provider: Provider,
  settlements: readonly Settlement[],
  known: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<Map<number, IsoTime>> {
  const times = new Map(known.map(({ number, timestamp }) => [number, timeOf(timestamp)]))
  const hashes = new Map<number, string>()
  for (const { blockNumber, blockHash, blockTimestamp } of settlements) {
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

import type { ObservedSettlement } from '@callboard/contract'
import type { Chain } from '@callboard/evm'
import { isoTime } from '@callboard/values'
import type { BlockHeader, RawLog, Settlement } from '../domain/chain-data.ts'
import { settlementsIn } from '../domain/settlements.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'

/**
 * The settlements among logs with what the logs do not say: the block's time, and who sent the transaction.
 * @param known headers that were read already
 */
export async function observe(
  chain: Chain,
  provider: Provider,
  logs: readonly RawLog[],
  known: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<ObservedSettlement[]> {
  const settlements = settlementsIn(logs, chain.usdc.address)
  if (settlements.length === 0) return []
  const times = await timesOf(provider, settlements, known, signal)
  const senders = await provider.senders([...new Set(settlements.map(({ txHash }) => txHash))], signal)
  return settlements.map((one) => ({
    network: chain.network,
    txHash: one.txHash,
    logIndex: one.logIndex,
    blockNumber: String(one.blockNumber),
    blockHash: one.blockHash,
    observedAt: isoTime((times.get(one.blockNumber) ?? 0) * 1000),
    payer: one.payer,
    payTo: one.payTo,
    asset: chain.usdc.address,
    amount: one.amount,
    decimals: chain.usdc.decimals,
    nonce: one.nonce,
    facilitator: senders.get(one.txHash) ?? null,
  }))
}

/** Block times in seconds by height: from known headers, from the logs, and where neither has it from the node. */
async function timesOf(
  provider: Provider,
  settlements: readonly Settlement[],
  known: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const times = new Map(known.map(({ number, timestamp }) => [number, timestamp]))
  const hashes = new Map<number, string>()
  for (const { blockNumber, blockHash, blockTimestamp } of settlements) {
    if (times.has(blockNumber)) continue
    if (blockTimestamp === undefined) hashes.set(blockNumber, blockHash)
    else times.set(blockNumber, blockTimestamp)
  }
  for (const header of await provider.headers([...hashes.keys()], signal)) {
    if (header.hash !== hashes.get(header.number))
      throw new ProviderError('inconsistent', `the logs of block ${header.number} are of another block`)
    times.set(header.number, header.timestamp)
  }
  return times
}

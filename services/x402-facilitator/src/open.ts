import { type Chain, openChains } from '@callboard/evm'
import { type Kit, measuringChainCalls } from '@callboard/runtime'
import { V1_NETWORKS, VALID_BEFORE_MARGIN_SECONDS } from '@callboard/x402'
import { parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { BatchContracts } from './chain/batch-contracts.ts'
import { FeeSource } from './chain/fee-source.ts'
import { TokenChecks } from './chain/token-check.ts'
import type { Config } from './config.ts'
import type { Parts } from './kit.ts'
import { createMeters } from './meters.ts'
import { readPayments } from './payment-gauges.ts'
import { Departures } from './settlement/departures.ts'
import { Drives } from './settlement/drives.ts'
import { openJoint } from './settlement/joint.ts'
import { LaneBook } from './settlement/lane-book.ts'
import { Ticks } from './settlement/ticks.ts'
import type { FacilitatorTables } from './store/tables.ts'

/** Where no cap is set: 5 gwei, or five times the least that the chain takes. */
const DEFAULT_CAP = parseGwei('5')
const CAP_OVER_MINIMUM = 5n
/** Blocks an authorization must outlive when it is presented: one to be mined in, and room for two that are missed. */
const MARGIN_BLOCKS = 3

/** Opens what the service holds for its whole life. No chain is asked yet. */
export async function open(kit: Kit<Config, FacilitatorTables, undefined>): Promise<Parts> {
  const { config, db, log, metrics, newId } = kit
  const { chains, clients } = openChains(config, measuringChainCalls(metrics))
  const keys = new Map(
    config.FACILITATOR_KEYS.map((key) => privateKeyToAccount(key)).map((account) => [account.address, account]),
  )
  const lanes = [...keys.keys()]
  const meters = createMeters(metrics.registry)
  const feeCap = ({ network, minMaxFeePerGas = 0n }: Chain): bigint => {
    const gwei = config.MAX_FEE_GWEI?.[network]
    if (gwei !== undefined) return parseGwei(String(gwei))
    const over = CAP_OVER_MINIMUM * minMaxFeePerGas
    return over > DEFAULT_CAP ? over : DEFAULT_CAP
  }
  const served = [...chains.values()]
  readPayments(meters, metrics.readings, { db, networks: [...chains.keys()], lanes, clients })
  const parts = {
    chains,
    clients,
    tokens: served.map(({ network, usdc: { address, name, version } }) => ({ network, asset: address, name, version })),
    v1Networks: new Map([
      ...V1_NETWORKS,
      ...served.flatMap(({ v1Name, network }) => (v1Name ? [[v1Name, network] as const] : [])),
    ]),
    marginSeconds: new Map(served.map((chain) => [chain.network, marginSeconds(chain)])),
    keys,
    tokenChecks: new TokenChecks(chains, clients, (network, found) =>
      log.error({ network, found }, 'the network is refused: its token or chain id is not the one we know'),
    ),
    batches: new BatchContracts(chains, clients, (network, address) =>
      log.error({ network, address }, 'payments are settled each alone: the batch contract is not the one we know'),
    ),
    fees: new FeeSource(chains, clients, lanes, {
      gas: BigInt(config.GAS_LIMIT),
      cap: feeCap,
    }),
    lanes: new LaneBook(db, clients, lanes),
    ticks: new Ticks(chains),
    departures: new Departures(),
    drives: new Drives(),
    meters,
    feeCap,
    instance: newId(),
  }
  return { ...parts, joint: openJoint({ ...kit, parts }) }
}

const marginSeconds = ({ blockTimeMs }: Chain) =>
  Math.max(VALID_BEFORE_MARGIN_SECONDS, Math.ceil((MARGIN_BLOCKS * blockTimeMs) / 1000))

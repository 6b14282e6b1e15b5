import { type Chain, chainOf, openChains, settledTokens, v1NetworksOf } from '@callboard/evm'
import { derived, type Logger, type ServiceContext, SingleFlight, watchingChains } from '@callboard/runtime'
import { type Address, baseUnits, type Caip2 } from '@callboard/values'
import { VALID_BEFORE_MARGIN_SECONDS } from '@callboard/x402'
import { parseGwei } from 'viem'
import { BatchContracts } from './chain/batch-contracts.ts'
import { FeeSource } from './chain/fee-source.ts'
import { GenesisHashes } from './chain/genesis-hashes.ts'
import { NetworksHealth } from './chain/network-health.ts'
import { TokenChecks } from './chain/token-check.ts'
import type { Config } from './config.ts'
import type { Resources } from './context.ts'
import { readDiscovery } from './discovery-gauges.ts'
import { routePolicies } from './domain/confirmation.ts'
import { createMeters, type Meters } from './meters.ts'
import { readPayments } from './payment-gauges.ts'
import { requireDurable } from './require-durable.ts'
import { LaneBook } from './settlement/batching/lane-book.ts'
import { openBatcher } from './settlement/batching/open-batcher.ts'
import { StoredTransactions } from './settlement/batching/stored-transactions.ts'
import { Submissions } from './settlement/batching/submissions.ts'
import { SpentBudgets } from './settlement/gas/spent-budgets.ts'
import { IdleWaits } from './settlement/idle-waits.ts'
import { RecentProofs } from './settlement/proofs/recent-proofs.ts'
import { PollIntervals } from './settlement/runner/poll-interval.ts'
import { KeyRing } from './signers/key-ring.ts'
import { openSigners } from './signers/open-signers.ts'
import type { Signer } from './signers/signer.ts'
import type { FacilitatorTables, Payment } from './store/tables.ts'

/** Where no cap is set: 5 gwei, or five times the least that the chain takes. */
const DEFAULT_CAP = parseGwei('5')
const CAP_OVER_MINIMUM = 5n
/** Blocks an authorization must outlive when it is presented: one to be mined in, and two that may be missed. */
const MARGIN_BLOCKS = 3

/** Opens what the service holds for its whole life. Asks no chain yet. @throws Error where money would not be safe */
export async function open(
  ctx: ServiceContext<Config, FacilitatorTables, undefined>,
): Promise<Resources & { close: () => Promise<void> }> {
  const { config, db, log, metrics, clock, newId } = ctx
  await requireDurable(config, ctx.pool)
  const { chains, clients } = openChains(config, watchingChains(ctx))
  const decodeConfirmations = routePolicies('DECODE_CONFIRMATIONS', config.DECODE_CONFIRMATIONS, chains)
  const meters = createMeters(metrics.registry)
  const keys = openKeys(config, meters, log)
  const feeCap = (chain: Chain) => feeCapOf(config, chain)
  const served = [...chains.values()]
  readDiscovery(meters, metrics.collectors, ctx)
  const tokenChecks = new TokenChecks(chains, clients, (network, found) =>
    log.error({ network, found }, 'the network is refused: its token or chain id is not the one we know'),
  )
  const fees = new FeeSource(chains, clients, keys, {
    gas: BigInt(config.GAS_LIMIT),
    legGas: BigInt(config.BATCH_LEG_GAS),
    cap: feeCap,
    noGas: (network) =>
      log.error({ network, lanes: keys.open() }, 'no signing account has coins for gas: nothing is settled'),
  })
  readPayments(meters, metrics.collectors, {
    db,
    networks: [...chains.keys()],
    lanes: () => keys.addresses(),
    clients,
    fees,
    clock,
    budget: { hour: config.GAS_PER_HOUR, day: config.GAS_PER_DAY },
  })
  const stored = new StoredTransactions(db)
  const resources = {
    chains,
    clients,
    tokens: settledTokens(served),
    v1Networks: v1NetworksOf(served),
    marginSeconds: new Map(served.map((chain) => [chain.network, marginSeconds(chain)])),
    confirmations: new Map(served.map(({ network, confirmation }) => [network, confirmation])),
    decodeConfirmations,
    keys,
    tokenChecks,
    genesis: new GenesisHashes(clients),
    batches: new BatchContracts(chains, clients, (network, address) =>
      log.error({ network, address }, 'payments are settled each alone: the batch contract is not the one we know'),
    ),
    fees,
    stored,
    submissions: new Submissions({ chains, clients, stored, log }),
    lanes: new LaneBook(db, clients, keys),
    polls: new PollIntervals(chains, clients),
    recentProofs: new RecentProofs(),
    runs: new SingleFlight<Payment | undefined>(),
    idleWaits: new IdleWaits(),
    health: new NetworksHealth([...chains.keys()], tokenChecks, fees),
    spent: new SpentBudgets(log, meters),
    meters,
    discoveryMinimum: (network: Caip2) =>
      baseUnits(config.DISCOVERY_MIN_USD, chainOf(chains, network).usdc.decimals) ?? 1n,
    feeCap,
    instance: newId(),
  }
  const close = async () => {
    for (const client of clients.values()) client.close()
  }
  return { ...resources, batcher: openBatcher({ ...ctx, resources }), close }
}

/** Opens the configured keys and counts each of their signatures. */
function openKeys(config: Config, { signingSeconds }: Meters, log: Logger): KeyRing {
  const shown = new Set<Address>()
  // Creates every series of an account before it has signed anything.
  const show = ({ address: lane, kind: signer }: Signer) => {
    if (shown.has(lane)) return
    for (const outcome of ['ok', 'failed', 'wrong']) signingSeconds.zero({ lane, signer, outcome })
    shown.add(lane)
  }
  const signers = derived(
    () => config.FACILITATOR_KEYS,
    (entries) => {
      const opened = openSigners(entries, config.GCP_KMS_URL)
      for (const signer of opened) show(signer)
      return opened
    },
  )
  return new KeyRing(signers, {
    timeoutMs: config.SIGNER_TIMEOUT_MS,
    signed({ lane, signer, outcome, seconds }, error) {
      signingSeconds.observe({ lane, signer, outcome }, seconds)
      if (outcome !== 'ok')
        log.error({ lane, signer, outcome, reason: error && String(error) }, 'a settlement was not signed')
    },
  })
}

/** The most that a unit of gas may cost on a chain, in wei. */
function feeCapOf({ MAX_FEE_GWEI: caps }: Config, { network, minMaxFeePerGas = 0n }: Chain): bigint {
  const gwei = caps?.[network]
  if (gwei !== undefined) return parseGwei(String(gwei))
  const over = CAP_OVER_MINIMUM * minMaxFeePerGas
  return over > DEFAULT_CAP ? over : DEFAULT_CAP
}

const marginSeconds = ({ blockTimeMs }: Chain) =>
  Math.max(VALID_BEFORE_MARGIN_SECONDS, Math.ceil((MARGIN_BLOCKS * blockTimeMs) / 1000))

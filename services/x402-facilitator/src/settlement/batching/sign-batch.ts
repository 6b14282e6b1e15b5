import { type Chain, chainOf } from '@callboard/evm'
import { inOrder, pipelined } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import { batchCalldata } from '../../chain/batch-call.ts'
import type { GasTerms } from '../../chain/fee-source.ts'
import { transferCalldata } from '../../chain/payer-facts.ts'
import { signCall } from '../../chain/signing.ts'
import type { BatchingContext } from '../../context.ts'
import { batchGas, legsWithin } from '../../domain/batch-gas.ts'
import { assignLanes, inTurns, planLoads } from '../../domain/loads.ts'
import { SignerUnavailable } from '../../signers/signer.ts'
import { busyLanes, lockLanes, storeLegs, storeTransactions, takeChainNonces } from '../../store/lane.repository.ts'
import { type Move, movePayments } from '../../store/move.repository.ts'
import type { LaneTransaction, Leg, Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import type { SpentBudget } from '../gas/gas-budget-spent.ts'
import { transferOf } from '../payment-terms.ts'
import { admitForSigning, type Going, lockForSigning } from './admit-for-signing.ts'
import type { SignOutcome, SignRequest } from './batcher.ts'

/**
 * Signs transactions for verified payments and stores them before any node sees them. Chain nonces, raw transactions,
 * their legs and the state `signed` of all payments commit together, so no nonce is ever handed out without a
 * transaction that fills it, and no payment is in two.
 *
 * A single payment is a plain transfer. Several that wait at the same moment share a transaction where the chain has a
 * batch contract; payments gather while every account has its limit of transactions on their way. An account whose
 * signer fails is skipped: what it was to sign goes to the next one, and nothing of it is stored.
 * @throws ChainUnavailable; SignerUnavailable where no account is left
 */
export async function signBatch(
  ctx: BatchingContext,
  network: Caip2,
  requests: readonly SignRequest[],
): Promise<SignOutcome[]> {
  const { keys } = ctx.resources
  for (let left = keys.ready().length; ; left--) {
    try {
      return await signOnce(ctx, network, requests)
    } catch (error) {
      if (!(error instanceof SignerUnavailable) || left <= 1) throw error
    }
  }
}

async function signOnce(
  ctx: BatchingContext,
  network: Caip2,
  requests: readonly SignRequest[],
): Promise<SignOutcome[]> {
  const terms = await termsOf(ctx, network)
  const byArrival = requests.toSorted((left, right) => left.row.created_at.getTime() - right.row.created_at.getTime())
  const inTurn = inTurns(byArrival, requesterOf)

  const ready = ctx.resources.keys.ready()
  const able = [...terms.funded].filter(([address]) => ready.includes(address))
  const addresses = able.map(([address]) => address)

  const loads = await pipelined(ctx.db, async (tx, commitWith) => {
    const locking = inOrder([lockForSigning(ctx, network, inTurn), busyLanes(network), lockLanes(network, addresses)])
    const [facts, busy, nonces] = await locking.execute(tx)
    const lanesNow = able.map(([address, gas]) => ({ address, gas, busy: busy.get(address) ?? 0 }))
    const room = lanesNow.reduce((sum, lane) => sum + Math.max(0, terms.depth - lane.busy), 0)
    const { going, outcomes } = admitForSigning(ctx, inTurn, facts, room * Math.max(1, terms.mostLegs))
    const planned = planLoads(going, terms.mostLegs).map((load) => ({
      load,
      gas: gasOf(ctx, load),
      sender: senderOf(load),
    }))
    const lanes = assignLanes(planned, lanesNow, terms.depth)
    const assigned = planned.flatMap(({ load, gas }, index) => {
      const lane = lanes[index]
      return lane ? [{ load, gas, lane }] : []
    })
    const { transactions, legs, moves, taken } = await signLoads(ctx, terms, assigned, nonces)
    for (const { load } of assigned) settlementFailpoints.hit('chosen', load.length)
    const [moved] = await commitWith([
      movePayments(moves, new Date(ctx.clock.now())),
      takeChainNonces(network, taken),
      storeTransactions(transactions),
      storeLegs(legs),
    ])
    for (const [index, { seen }] of moves.entries()) {
      const row = moved[index]
      if (!row) throw new Error(`payment ${seen.key} was held and could not be moved`)
      outcomes.set(seen.key, row)
    }
    return { outcomes, assigned, transactions }
  })
  ctx.resources.stored.keep(loads.transactions)
  for (const { load } of loads.assigned) settlementFailpoints.hit('stored', load.length)
  for (const [key, outcome] of loads.outcomes) if (isSpent(outcome)) ctx.resources.spent.note(network, key, outcome)
  for (const { load } of loads.assigned) ctx.resources.meters.legs.observe({ network }, load.length)
  return requests.map(({ row }) => loads.outcomes.get(row.key) ?? 'lanes_busy')
}

/** The network that asked, or the payer of an internal request. */
const requesterOf = ({ row: { origin, payer } }: SignRequest): string => origin ?? payer

interface SigningTerms extends GasTerms {
  readonly chain: Chain
  readonly contract: Address | undefined
  /** The most payments of one transaction. */
  readonly mostLegs: number
  /** The most transactions of one account on their way. */
  readonly depth: number
}

async function termsOf({ resources, config }: BatchingContext, network: Caip2): Promise<SigningTerms> {
  const [gas, contract] = await Promise.all([
    resources.fees.terms(network),
    resources.batches.of(network),
    resources.lanes.known(network),
  ])
  const chain = chainOf(resources.chains, network)
  if (!contract) return { ...gas, chain, contract, mostLegs: 1, depth: Number.POSITIVE_INFINITY }
  const richest = [...gas.funded.values()].reduce((most, one) => (one > most ? one : most), 0n)
  const limit = richest < BigInt(config.BATCH_GAS) ? richest : BigInt(config.BATCH_GAS)
  const mostLegs = Math.min(config.BATCH_PAYMENTS, legsWithin(limit, BigInt(config.BATCH_LEG_GAS)))
  return { ...gas, chain, contract, mostLegs, depth: config.LANE_DEPTH }
}

const isSpent = (outcome: SignOutcome): outcome is SpentBudget => typeof outcome === 'object' && 'spent' in outcome

/** A payer's code can tell our accounts apart, so what was tried from one account is sent from that one. */
const senderOf = ([first]: readonly SignRequest[]): Address | undefined =>
  first?.batchable ? undefined : first?.sender

const gasOf = ({ config }: BatchingContext, load: readonly SignRequest[]): bigint =>
  load.length === 1 ? BigInt(config.GAS_LIMIT) : batchGas(load.length, BigInt(config.BATCH_LEG_GAS))

interface Assigned {
  readonly load: readonly Going[]
  readonly gas: bigint
  readonly lane: Address
}

/** The rows to store for what was signed. */
interface SignedLoads {
  readonly transactions: readonly LaneTransaction[]
  readonly legs: readonly Leg[]
  readonly moves: readonly Move[]
  /** How many chain nonces of each lane they use. */
  readonly taken: ReadonlyMap<Address, number>
}

/**
 * Signs everything concurrently, each lane's with its next chain nonces. The rows stay locked meanwhile, at most for the
 * signer timeout (docs/adr/0108).
 */
async function signLoads(
  ctx: BatchingContext,
  terms: SigningTerms,
  assigned: readonly Assigned[],
  nonces: ReadonlyMap<Address, number>,
): Promise<SignedLoads> {
  const { network } = terms.chain
  const byLane = Map.groupBy(assigned, ({ lane }) => lane)
  const slots = [...byLane].flatMap(([lane, loads]): Slot[] => {
    const first = nonces.get(lane)
    if (first === undefined) throw new Error(`no lane of ${network} has the address ${lane}`)
    return loads.map((one, index) => ({ ...one, chainNonce: first + index }))
  })
  const signed = await Promise.all(
    slots.map((slot) => signCall(ctx.resources.keys, { ...terms, ...callOf(ctx, terms, slot.load), ...slot })),
  )
  const stored = slots.map((slot, index) => storedOf(ctx, network, slot, signed[index] ?? never()))
  return {
    transactions: stored.map(({ transaction }) => transaction),
    legs: stored.flatMap(({ legs }) => legs),
    moves: stored.flatMap(({ moves }) => moves),
    taken: new Map([...byLane].map(([lane, loads]) => [lane, loads.length])),
  }
}

const never = (): never => {
  throw new Error('every call has its signature')
}

interface Slot extends Assigned {
  readonly chainNonce: number
}

/** The rows to store for one signed transaction. */
function storedOf(
  ctx: BatchingContext,
  network: Caip2,
  { load, gas, lane, chainNonce }: Slot,
  { raw, hash }: { readonly raw: Hex; readonly hash: Hex },
) {
  const place = { lane, chain_nonce: chainNonce }
  const transaction: LaneTransaction = {
    ...place,
    hash,
    network,
    raw,
    created_at: new Date(ctx.clock.now()),
    sent_at: null,
  }
  const share = { gas_limit: Math.ceil(Number(gas) / load.length), legs: load.length }
  const moves = load.map(({ row, terms: { newPayer, weight } }): Move => {
    const facts = { ...place, tx_hash: hash, ...share, new_payer: newPayer, exposure: weight }
    return { seen: row, events: signedBy(row), facts }
  })
  const legs = load.map(({ row }): Leg => ({ network, ...place, payment_key: row.key }))
  return { transaction, legs, moves }
}

/** A payment that need not wait is verified and signed in one write. */
const signedBy = ({ state }: Payment) =>
  state === 'claimed' ? (['approved', 'stored'] as const) : (['stored'] as const)

/** The plain transfer of one payment, or the batch of several. */
function callOf({ config }: BatchingContext, { chain, contract }: SigningTerms, load: readonly SignRequest[]) {
  const transfers = load.map(({ row }) => transferOf(row, chain))
  const [alone] = transfers
  const suffix = load[0]?.row.suffix ?? '0x'
  if (load.length === 1 && alone) return { to: chain.usdc.address, data: transferCalldata(alone, suffix) }
  if (!contract) throw new Error(`${chain.network} has no batch contract`)
  return { to: contract, data: batchCalldata(chain.usdc.address, BigInt(config.BATCH_LEG_GAS), transfers, suffix) }
}

import { type Chain, chainOf } from '@callboard/evm'
import { type Address, type Caip2, HOUR_MS } from '@callboard/values'
import { batchCalldata } from '../chain/batch-call.ts'
import type { GasTerms } from '../chain/fee-source.ts'
import { transferCalldata } from '../chain/payer-facts.ts'
import { signCall } from '../chain/signing.ts'
import { batchGas, legsWithin } from '../domain/batch-gas.ts'
import { assignLanes, planLoads } from '../domain/loads.ts'
import { admitPayers } from '../domain/reservation.ts'
import type { JointKit } from '../kit.ts'
import { busyLanes, storeLegs, storeTransactions, takeChainNonces } from '../store/lane.repository.ts'
import { holdPayments, type Move, movePayments } from '../store/move.repository.ts'
import { lockPayers, payerStandings } from '../store/payer.repository.ts'
import type { FacilitatorTx, LaneTransaction, Leg, Payment } from '../store/tables.ts'
import { passing } from './moments.ts'
import { transferOf } from './payment-terms.ts'

/** A payment that the token would take and that wants a transaction. */
export interface SignWish {
  readonly row: Payment
  readonly balance: bigint
  readonly batchable: boolean
  /** When the balance was asked for, by the process's own clock. */
  readonly askedAt: number
}

/**
 * The payment as it stands now, or why there is none: `lanes_busy` enough transactions are on their way · `payer_busy` the
 * payer's other payments come first · `moved` somebody else has the payment.
 */
export type SignOutcome = Payment | 'lanes_busy' | 'payer_busy' | 'moved'

/**
 * Signs transactions for verified payments and stores them, before anybody sees them. Chain nonces, raw transactions,
 * their legs and the state `signed` of all payments commit together, so no nonce is ever handed out without a transaction
 * that fills it, and no payment is in two.
 *
 * One payment alone is a plain transfer. Several that wait at the same moment share a transaction where the chain has a
 * batch contract; payments gather while every account has as many transactions on their way as it may have.
 * @throws ChainAway
 */
export async function signAll(kit: JointKit, network: Caip2, wishes: readonly SignWish[]): Promise<SignOutcome[]> {
  const terms = await termsOf(kit, network)
  const busy = await busyLanes(kit.db, network)
  const standing = [...terms.funded].map(([address, gas]) => ({ address, gas, busy: busy.get(address) ?? 0 }))
  const room = standing.reduce((sum, lane) => sum + Math.max(0, terms.depth - lane.busy), 0)
  const inTurn = wishes.toSorted((left, right) => left.row.created_at.getTime() - right.row.created_at.getTime())
  const next = inTurn.slice(0, Math.min(inTurn.length, room * Math.max(1, terms.mostLegs)))
  if (next.length === 0) return wishes.map(() => 'lanes_busy')

  const loads = await kit.db.transaction().execute(async (tx) => {
    const { going, outcomes, refused } = await admit(kit, tx, network, next)
    const planned = planLoads(going, terms.mostLegs).map((load) => ({ load, gas: gasOf(kit, load) }))
    const lanes = assignLanes(planned, standing, terms.depth)
    const assigned = planned.flatMap(({ load, gas }, index) => {
      const lane = lanes[index]
      return lane ? [{ load, gas, lane }] : []
    })
    const stored = await store(kit, tx, terms, assigned)
    const moves = [...refused, ...stored]
    const moved = await movePayments(tx, moves, new Date(kit.clock.now()))
    for (const [index, { seen }] of moves.entries()) {
      const row = moved[index]
      if (!row) throw new Error(`payment ${seen.key} was held and could not be moved`)
      outcomes.set(seen.key, row)
    }
    for (const { load } of assigned) passing('chosen', load.length)
    return { outcomes, refused, assigned }
  })
  for (const { load } of loads.assigned) passing('stored', load.length)
  for (const { facts } of loads.refused) kit.parts.meters.outcomes.inc({ network, outcome: String(facts?.reason) })
  for (const { load } of loads.assigned) kit.parts.meters.legs.observe({ network }, load.length)
  return wishes.map(({ row }) => loads.outcomes.get(row.key) ?? 'lanes_busy')
}

interface SigningTerms extends GasTerms {
  readonly chain: Chain
  readonly contract: Address | undefined
  /** The most payments of one transaction. */
  readonly mostLegs: number
  /** The most transactions of one account on their way. */
  readonly depth: number
}

async function termsOf({ parts, config }: JointKit, network: Caip2): Promise<SigningTerms> {
  const [gas, contract] = await Promise.all([
    parts.fees.terms(network),
    parts.batches.of(network),
    parts.lanes.known(network),
  ])
  const chain = chainOf(parts.chains, network)
  if (!contract) return { ...gas, chain, contract, mostLegs: 1, depth: Number.POSITIVE_INFINITY }
  const richest = [...gas.funded.values()].reduce((most, one) => (one > most ? one : most), 0n)
  const limit = richest < BigInt(config.BATCH_GAS) ? richest : BigInt(config.BATCH_GAS)
  const mostLegs = Math.min(config.BATCH_PAYMENTS, legsWithin(limit, BigInt(config.BATCH_LEG_GAS)))
  return { ...gas, chain, contract, mostLegs, depth: config.LANE_DEPTH }
}

/** Which of the payments are still ours to sign and can be paid for beside the others of their payers. */
async function admit(kit: JointKit, tx: FacilitatorTx, network: Caip2, wishes: readonly SignWish[]) {
  const held = await holdPayments(
    tx,
    wishes.map(({ row }) => row),
  )
  const ours = wishes.filter(({ row }) => held.has(row.key))
  const outcomes = new Map<string, SignOutcome>(
    wishes.filter(({ row }) => !held.has(row.key)).map(({ row }) => [row.key, 'moved']),
  )
  const { address: asset } = chainOf(kit.parts.chains, network).usdc
  const payers = [...new Set(ours.map(({ row }) => row.payer))]
  await lockPayers(tx, network, asset, payers)
  const since = new Date(kit.clock.now() - HOUR_MS)
  const standings = await payerStandings(tx, network, asset, payers, since)
  const asked = ours.map(({ row, balance }) => ({ payer: row.payer, amount: BigInt(row.amount), balance }))
  const admitted = admitPayers(asked, standings, kit.config.REVERTS_PER_PAYER).map((admittance, index) => {
    const wish = ours[index]
    const isOld = wish && kit.parts.departures.since(wish.row.payer, wish.askedAt)
    return admittance === 'goes' && isOld ? 'waits' : admittance
  })
  const going = ours
    .filter((_, index) => admitted[index] === 'goes')
    .map((wish) => ({ ...wish, suffix: wish.row.suffix }))
  const refused: Move[] = []
  for (const [index, { row }] of ours.entries()) {
    if (admitted[index] === 'waits') outcomes.set(row.key, 'payer_busy')
    if (admitted[index] !== 'refused') continue
    // A payer who moves his money away between verification and settlement makes us pay gas for nothing.
    refused.push({ seen: row, events: ['refused'], facts: { reason: 'invalid_exact_evm_transaction_failed' } })
  }
  return { going, outcomes, refused }
}

const gasOf = ({ config }: JointKit, load: readonly SignWish[]): bigint =>
  load.length === 1 ? BigInt(config.GAS_LIMIT) : batchGas(load.length, BigInt(config.BATCH_LEG_GAS))

interface Assigned {
  readonly load: readonly SignWish[]
  readonly gas: bigint
  readonly lane: Address
}

/** Takes the chain nonces, signs, and stores raw transactions and legs. @returns what moves the payments */
async function store(
  kit: JointKit,
  tx: FacilitatorTx,
  terms: SigningTerms,
  assigned: readonly Assigned[],
): Promise<Move[]> {
  if (assigned.length === 0) return []
  const { network } = terms.chain
  const transactions: LaneTransaction[] = []
  const moves: Move[] = []
  const legs: Leg[] = []
  const byLane = Map.groupBy(assigned, ({ lane }) => lane)
  for (const [lane, loads] of [...byLane].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const first = await takeChainNonces(tx, network, lane, loads.length)
    for (const [index, { load, gas }] of loads.entries()) {
      const chainNonce = first + index
      const { raw, hash } = await signCall(kit.parts.keys, {
        ...terms,
        ...callOf(kit, terms, load),
        lane,
        chainNonce,
        gas,
      })
      const created_at = new Date(kit.clock.now())
      transactions.push({ hash, network, lane, chain_nonce: chainNonce, raw, created_at, sent_at: null })
      const facts = { lane, chain_nonce: chainNonce, tx_hash: hash }
      moves.push(...load.map(({ row }) => ({ seen: row, events: signedBy(row), facts })))
      legs.push(...load.map(({ row }) => ({ network, lane, chain_nonce: chainNonce, payment_key: row.key })))
    }
  }
  await storeTransactions(tx, transactions)
  await storeLegs(tx, legs)
  return moves
}

/** A payment that need not wait is verified and signed in one write. */
const signedBy = ({ state }: Payment) =>
  state === 'claimed' ? (['approved', 'stored'] as const) : (['stored'] as const)

/** The plain transfer of one payment, or the batch of several. */
function callOf({ config }: JointKit, { chain, contract }: SigningTerms, load: readonly SignWish[]) {
  const transfers = load.map(({ row }) => transferOf(row, chain))
  const [alone] = transfers
  const suffix = load[0]?.row.suffix ?? '0x'
  if (load.length === 1 && alone) return { to: chain.usdc.address, data: transferCalldata(alone, suffix) }
  if (!contract) throw new Error(`${chain.network} has no batch contract`)
  return { to: contract, data: batchCalldata(chain.usdc.address, BigInt(config.BATCH_LEG_GAS), transfers, suffix) }
}

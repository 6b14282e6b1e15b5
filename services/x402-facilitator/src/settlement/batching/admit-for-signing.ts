import { chainOf } from '@callboard/evm'
import { type Caip2, HOUR_MS } from '@callboard/values'
import type { BatchingContext } from '../../context.ts'
import { batchGas } from '../../domain/batch-gas.ts'
import { GasBook } from '../../domain/gas-book.ts'
import { accountKey, accountsOf, type Priority, secondsToNextPiece, windowsAt } from '../../domain/gas-budget.ts'
import { type Admittance, admitPayers, type Candidate, type Terms } from '../../domain/reservation.ts'
import { gasUsed } from '../../store/gas.repository.ts'
import { holdPayments } from '../../store/move.repository.ts'
import { knownPayees } from '../../store/payee.repository.ts'
import { lockSigning, payerExposures } from '../../store/payer.repository.ts'
import type { FacilitatorTx, Payment } from '../../store/tables.ts'
import type { SpentBudget } from '../gas-budget-spent.ts'
import type { SignOutcome, SignRequest } from './batcher.ts'

/** By then some of those that wait have had their turn. */
const CROWD_RETRY_SECONDS = 2

/** A payment that is signed now, and what it is signed under. */
export type Going = SignRequest & Pick<Payment, 'suffix'> & { readonly terms: Terms }

export interface Admitted {
  readonly going: readonly Going[]
  /** What becomes of the others, by payment key. */
  readonly outcomes: Map<string, SignOutcome>
}

/**
 * Which of the payments are still ours to sign, can be paid for beside the others of their payers, and may have the gas.
 * Everything that this reads is locked against other replicas until the transaction ends, in which the payments that go
 * are stored with what they reserve: so no two signings see the same room.
 * @param verified in their turn, the first to be served first
 * @param room how many may go at the most
 */
export async function admitForSigning(
  ctx: BatchingContext,
  tx: FacilitatorTx,
  network: Caip2,
  verified: readonly SignRequest[],
  room: number,
): Promise<Admitted> {
  const held = await holdPayments(
    tx,
    verified.map(({ row }) => row),
  )
  const ours = verified.filter(({ row }) => held.has(row.key))
  const outcomes = new Map<string, SignOutcome>(
    verified.filter(({ row }) => !held.has(row.key)).map(({ row }) => [row.key, 'moved']),
  )
  const admittances = await judge(ctx, tx, network, ours, room)
  const going: Going[] = []
  for (const [index, payment] of ours.entries()) {
    const admittance = admittances[index]
    if (admittance?.kind === 'goes') going.push(goingUnder(payment, admittance.terms))
    else if (admittance) outcomes.set(payment.row.key, outcomeOf(admittance, ctx.clock.now()))
  }
  return { going, outcomes }
}

/** A payment whose transaction failed by our fault goes alone, so that it shares no second one with what made it fail. */
const goingUnder = (payment: SignRequest, terms: Terms): Going => ({
  ...payment,
  batchable: payment.batchable && payment.row.tx_hash === null,
  suffix: payment.row.suffix,
  terms,
})

async function judge(
  ctx: BatchingContext,
  tx: FacilitatorTx,
  network: Caip2,
  ours: readonly SignRequest[],
  room: number,
): Promise<Admittance[]> {
  if (ours.length === 0) return []
  const { config, clock, resources } = ctx
  const { address: asset } = chainOf(resources.chains, network).usdc
  const payers = [...new Set(ours.map(({ row }) => row.payer))]
  await lockSigning(tx, network, asset, payers)
  const now = clock.now()
  const exposures = await payerExposures(tx, network, asset, payers, new Date(now - HOUR_MS))
  const listed = await knownPayees(tx, network, [...new Set(ours.map(({ row }) => row.pay_to))])
  const asked = ours.map((payment) => candidateOf(ctx, payment, listed.has(payment.row.pay_to)))
  const accounts = new Map(
    asked
      .flatMap((user) => [
        ...accountsOf({ ...user, newPayer: 'new_payers' }),
        ...accountsOf({ ...user, newPayer: 'new_contracts' }),
      ])
      .map((account) => [accountKey(account), account]),
  )
  const used = await gasUsed(tx, network, [...accounts.values()], {
    from: windowsAt(now),
    unknownGas: mostGas(ctx),
  })
  const book = new GasBook(
    { budget: { hour: config.GAS_PER_HOUR, day: config.GAS_PER_DAY }, shares: config.GAS_SHARES },
    used,
  )
  return admitPayers(asked, exposures, { start: config.EXPOSURE_START, most: config.EXPOSURE_MOST }, book, room)
}

/** The most gas of one payment, however it travels: alone, or with a single other one. */
const mostGas = ({ config }: BatchingContext): number =>
  Math.max(config.GAS_LIMIT, Math.ceil(Number(batchGas(2, BigInt(config.BATCH_LEG_GAS))) / 2))

function candidateOf(
  ctx: BatchingContext,
  { row, balance, hasCode, askedAt }: SignRequest,
  isListed: boolean,
): Candidate {
  const isOurs = row.pay_to === ctx.config.DECODE_PAY_TO
  const priority: Priority = isListed || isOurs ? 'listed' : row.sponsor ? 'keyed' : 'anonymous'
  return {
    payer: row.payer,
    payTo: row.pay_to,
    origin: row.origin,
    sponsor: row.sponsor,
    priority,
    amount: BigInt(row.amount),
    balance,
    isOld: ctx.resources.recentDebits.since(row.payer, askedAt),
    hasCode,
    gas: mostGas(ctx),
  }
}

function outcomeOf(admittance: Exclude<Admittance, { kind: 'goes' }>, now: number): SpentBudget | SignOutcome {
  if (admittance.kind === 'waits') return 'payer_busy'
  if (admittance.kind === 'queues') return 'gas_busy'
  const retryAfterSeconds = admittance.kind === 'crowded' ? CROWD_RETRY_SECONDS : secondsToNextPiece(now)
  return { spent: admittance.scope, retryAfterSeconds }
}

import { chainOf } from '@callboard/evm'
import { inOrder, type Statement } from '@callboard/store'
import { type Address, type Caip2, HOUR_MS } from '@callboard/values'
import { paysUs } from '../../config.ts'
import type { BatchingContext } from '../../context.ts'
import { batchGas } from '../../domain/batch-gas.ts'
import { GasBook, type GasUse } from '../../domain/gas-book.ts'
import {
  type Account,
  accountKey,
  accountsOf,
  type Priority,
  secondsToNextPiece,
  windowsAt,
} from '../../domain/gas-budget.ts'
import {
  type Admittance,
  admitPayers,
  type Candidate,
  type PayerExposure,
  type Terms,
} from '../../domain/reservation.ts'
import { gasUsed } from '../../store/gas.repository.ts'
import { holdPayments } from '../../store/move.repository.ts'
import { knownPayees } from '../../store/payee.repository.ts'
import { lockSigning, payerExposures } from '../../store/payer.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { floorOf } from '../gas/account-gas.ts'
import type { SpentBudget } from '../gas/gas-budget-spent.ts'
import type { SignOutcome, SignRequest } from './batcher.ts'

/** By then some of the waiting payments have had their turn. */
const CROWD_RETRY_SECONDS = 2

/** A payment that is signed now, and the terms under which it is signed. */
export type Going = SignRequest & Pick<Payment, 'suffix'> & { readonly terms: Terms }

export interface Admitted {
  readonly going: readonly Going[]
  /** Outcomes of the others, by payment key. */
  readonly outcomes: Map<string, SignOutcome>
}

/** What the admission of payments depends on. */
export interface AdmissionFacts {
  /** The keys of payments that are still ours. */
  readonly held: ReadonlySet<string>
  readonly exposures: ReadonlyMap<Address, PayerExposure>
  /** Which payees belong to live listings. */
  readonly listed: ReadonlySet<Address>
  /** Gas used, by `accountKey`. */
  readonly used: ReadonlyMap<string, GasUse>
}

/**
 * Locks the payments to be signed, and reads what their admission depends on. It stays true for all replicas until the
 * transaction ends, in which the admitted payments are stored with what they reserve: so no two signings count the same
 * capacity.
 */
export function lockForSigning(
  ctx: BatchingContext,
  network: Caip2,
  verified: readonly SignRequest[],
): Statement<AdmissionFacts> {
  const rows = verified.map(({ row }) => row)
  const { address: asset } = chainOf(ctx.resources.chains, network).usdc
  const payers = [...new Set(rows.map(({ payer }) => payer))]
  const payees = [...new Set(rows.map(({ pay_to }) => pay_to))]
  const now = ctx.clock.now()
  return inOrder([
    holdPayments(rows),
    lockSigning(network, rows),
    payerExposures(network, asset, payers, new Date(now - HOUR_MS)),
    knownPayees(network, payees),
    gasUsed(network, accountsIn(rows), {
      from: windowsAt(now),
      unknownGas: mostGas(ctx),
      floor: floorOf(ctx, network),
    }),
  ]).as(([held, , exposures, listed, used]) => ({ held, exposures, listed, used }))
}

/**
 * Admits the payments that are still ours to sign, that their payers can pay for along with their others, and that may
 * have the gas.
 * @param verified in order of service
 * @param room the most that may go
 */
export function admitForSigning(
  ctx: BatchingContext,
  verified: readonly SignRequest[],
  facts: AdmissionFacts,
  room: number,
): Admitted {
  const { held } = facts
  const ours = verified.filter(({ row }) => held.has(row.key))
  const outcomes = new Map<string, SignOutcome>(
    verified.filter(({ row }) => !held.has(row.key)).map(({ row }) => [row.key, 'moved']),
  )
  const admittances = judge(ctx, ours, facts, room)
  const going: Going[] = []
  for (const [index, payment] of ours.entries()) {
    const admittance = admittances[index]
    if (admittance?.kind === 'goes') going.push(goingUnder(payment, admittance.terms))
    else if (admittance) outcomes.set(payment.row.key, outcomeOf(admittance, ctx.clock.now()))
  }
  return { going, outcomes }
}

/** A payment whose transaction failed by our fault goes alone, so that the cause cannot affect its second one too. */
const goingUnder = (payment: SignRequest, terms: Terms): Going => ({
  ...payment,
  batchable: payment.batchable && payment.row.tx_hash === null,
  suffix: payment.row.suffix,
  terms,
})

function judge(
  ctx: BatchingContext,
  ours: readonly SignRequest[],
  { exposures, listed, used }: AdmissionFacts,
  room: number,
): Admittance[] {
  const { config } = ctx
  const asked = ours.map((payment) => candidateOf(ctx, payment, listed.has(payment.row.pay_to)))
  const book = new GasBook(
    { budget: { hour: config.GAS_PER_HOUR, day: config.GAS_PER_DAY }, shares: config.GAS_SHARES },
    used,
  )
  return admitPayers(asked, exposures, { start: config.EXPOSURE_START, most: config.EXPOSURE_MOST }, book, room)
}

/** Every account on which the payments may be booked, each once. */
function accountsIn(rows: readonly Payment[]): Account[] {
  const accounts = rows.flatMap(({ pay_to: payTo, origin, sponsor }) => [
    ...accountsOf({ payTo, origin, sponsor, newPayer: 'new_payers' }),
    ...accountsOf({ payTo, origin, sponsor, newPayer: 'new_contracts' }),
  ])
  return [...new Map(accounts.map((account) => [accountKey(account), account])).values()]
}

/** The most gas of one payment, whether alone or with a single other one. */
const mostGas = ({ config }: BatchingContext): number =>
  Math.max(config.GAS_LIMIT, Math.ceil(Number(batchGas(2, BigInt(config.BATCH_LEG_GAS))) / 2))

function candidateOf(
  ctx: BatchingContext,
  { row, balance, hasCode, askedAt }: SignRequest,
  isListed: boolean,
): Candidate {
  const isDust = BigInt(row.amount) < floorOf(ctx, row.network)
  // A splitter's fee of dust is nothing, and anyone can send some to the payee of any listing.
  const known: Priority | null = isDust ? null : paysUs(ctx.config, row.pay_to) ? 'own' : isListed ? 'listed' : null
  const priority: Priority = known ?? (row.sponsor ? 'keyed' : 'anonymous')
  return {
    payer: row.payer,
    payTo: isDust ? null : row.pay_to,
    origin: row.origin,
    sponsor: row.sponsor,
    priority,
    amount: BigInt(row.amount),
    balance,
    balanceAgeMs: performance.now() - askedAt,
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

import { setTimeout as wait } from 'node:timers/promises'
import { ChainAway } from '../chain/chain-away.ts'
import { isOpen, TRANSITIONS } from '../domain/payment-state.ts'
import type { FacilitatorKit } from '../kit.ts'
import { endLease } from '../store/lease.repository.ts'
import { PaymentMoved } from '../store/move.repository.ts'
import { releasePayment } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { type Memo, STEPS } from './steps.ts'

/** How often a payment that another process drives is looked at. */
const WATCH_MS = 100
/** A lease is renewed when so much of it is used. */
const RENEW_MS = 2_500

export interface DriveLimits {
  /** How long to go on, in milliseconds. */
  readonly forMs: number
  /** Whether a payment for which nothing was signed is given up when its chain is away: somebody is told to come again. */
  readonly releases: boolean
  /** The row, where the caller has just claimed it and holds its lease. */
  readonly claimed?: Payment | undefined
}

/**
 * Drives payments to their outcome, one driver each: within the process by this register, between processes by the lease
 * in the payment's row. Neither is what makes a payment happen once; that is the order of writes in the steps.
 */
export class Drives {
  readonly #running = new Map<string, Promise<Payment | undefined>>()

  /**
   * Drives a payment until it has an outcome, or joins whoever does.
   * @returns the payment as it stood at the end, undefined when somebody else has it
   * @throws ChainAway when nothing could be done because the chain is away
   */
  run(kit: FacilitatorKit, key: string, limits: DriveLimits): Promise<Payment | undefined> {
    const running = this.#running.get(key)
    if (running) return running
    const started = drive(kit, key, limits).finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }
}

async function drive(kit: FacilitatorKit, key: string, limits: DriveLimits): Promise<Payment | undefined> {
  const end = performance.now() + limits.forMs
  let row = limits.claimed
  while (performance.now() < end) {
    row ??= await kit.parts.joint.lease(key)
    if (row) return leased(kit, row, end, limits.releases)
    const seen = await kit.parts.joint.find(key)
    if (!seen || !isOpen(seen.state)) return seen
    await wait(WATCH_MS)
  }
  return undefined
}

async function leased(
  kit: FacilitatorKit,
  first: Payment,
  end: number,
  releases: boolean,
): Promise<Payment | undefined> {
  const memo: Memo = {}
  let row = first
  let leasedAt = performance.now()
  try {
    for (;;) {
      const moved = await stepOf(kit, row, memo)
      row = moved ?? row
      if (!isOpen(row.state) || performance.now() >= end) return row
      if (!moved) await kit.parts.ticks.next(row.network)
      if (performance.now() - leasedAt < RENEW_MS) continue
      const renewed = await kit.parts.joint.lease(row.key)
      if (!renewed) return undefined
      row = renewed
      leasedAt = performance.now()
    }
  } catch (error) {
    if (error instanceof PaymentMoved) return undefined
    if (error instanceof ChainAway && releases && mayBeReleased(row)) {
      await releasePayment(kit.db, row)
    }
    throw error
  } finally {
    // With its outcome a payment is nobody's already.
    if (isOpen(row.state)) await endLease(kit.db, row.key, kit.parts.instance)
  }
}

/** Once something was sent, a chain that is away is waited for; before that, whoever asked is told. */
async function stepOf(kit: FacilitatorKit, row: Payment, memo: Memo): Promise<Payment | undefined> {
  const step = STEPS[row.state]
  if (!step) throw new Error(`a ${row.state} payment has no step`)
  try {
    return await step(kit, row, memo)
  } catch (error) {
    if (!(error instanceof ChainAway) || isUnsigned(row)) throw error
    kit.log.warn({ err: error, key: row.key, state: row.state }, 'the chain is away while a payment is on its way')
    return undefined
  }
}

const isUnsigned = ({ state }: Payment) => TRANSITIONS[state].released === 'absent'

/** A payment that was once answered with success keeps its row, whatever became of its block. */
const mayBeReleased = (row: Payment) => isUnsigned(row) && row.announced_tx === null

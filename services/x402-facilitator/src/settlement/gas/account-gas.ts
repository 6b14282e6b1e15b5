import { chainOf } from '@callboard/evm'
import type { Statement } from '@callboard/store'
import { type Address, baseUnits, type Caip2 } from '@callboard/values'
import type { BatchingContext } from '../../context.ts'
import { accountKey, accountsOf, pieceOf } from '../../domain/gas-budget.ts'
import { bookGas, type GasEntry } from '../../store/gas.repository.ts'
import { bookOnPayers, type PayerChange } from '../../store/payer.repository.ts'
import type { Payment } from '../../store/tables.ts'

/** The gas that one of our payments burned, and whether it moved the money. */
export interface Burned {
  readonly row: Payment
  /** Gas of the payment's share of our transaction. */
  readonly gas: number
  /** Whether our transaction moved the money. */
  readonly settled: boolean
  /** Whether the money moved, whoever sent the transaction. */
  readonly isDebited: boolean
}

/**
 * The gas that a payment burned, once it has an outcome; 0 for one that had reverted, whose gas was booked then.
 * @param gasUsed of our transaction, where it is in a block; else the most that it may burn counts
 */
export const burnedBy = ({ state, tx_hash, gas_limit, legs }: Payment, gasUsed: number | undefined): number =>
  tx_hash === null || state === 'reverted'
    ? 0
    : gasUsed === undefined
      ? (gas_limit ?? 0)
      : Math.ceil(gasUsed / (legs ?? 1))

/** Base units below which a payment is dust. */
export const floorOf = ({ config, resources }: BatchingContext, network: Caip2): bigint =>
  baseUnits(config.EXPOSURE_FLOOR_USD, chainOf(resources.chains, network).usdc.decimals) ?? 0n

/**
 * Books the gas that payments of one network burned, in the transaction of their outcomes: on the chain, on whom they
 * served, and wasted gas on those who are answerable. A settled payment of at least the floor raises its payer's
 * allowance; one that failed lowers it. A payer whose money moved is noted as debited, for every replica.
 * @returns what to send
 */
export function accountGas(
  ctx: BatchingContext,
  network: Caip2,
  burned: readonly Burned[],
): readonly Statement<unknown>[] {
  const { config, resources, clock } = ctx
  const floor = floorOf(ctx, network)
  const entries = new Map<string, GasEntry>()
  const payers = new Map<Address, PayerChange>()
  for (const { row, gas, settled, isDebited } of burned) {
    const { payer } = row
    const isDust = BigInt(row.amount) < floor
    const bought = settled && !isDust
    const seen = payers.get(payer) ?? { payer, credit: 0, isDebited: false }
    const earned = gas === 0 ? 0 : bought ? 1 : settled ? 0 : -(row.exposure ?? 1)
    if (earned !== 0 || isDebited) {
      payers.set(payer, { payer, credit: seen.credit + earned, isDebited: seen.isDebited || isDebited })
    }
    if (gas === 0) continue
    const { origin, sponsor, new_payer: newPayer } = row
    for (const account of accountsOf({ payTo: isDust ? null : row.pay_to, origin, sponsor, newPayer })) {
      const key = accountKey(account)
      const { spent = 0, wasted = 0 } = entries.get(key) ?? {}
      entries.set(key, { ...account, spent: spent + gas, wasted: wasted + (bought ? 0 : gas) })
    }
    resources.meters.gas.inc({ network, use: bought ? 'settled' : 'wasted' }, gas)
  }
  return [
    bookGas(network, [...entries.values()], pieceOf(clock.now())),
    bookOnPayers(network, [...payers.values()], config.EXPOSURE_MOST),
  ]
}

/** Books what a payment's share of a failed transaction burned where only we are at fault: on the chain alone. */
export async function accountOwnFailure(ctx: BatchingContext, row: Payment, gasUsed: number): Promise<void> {
  const gas = burnedBy(row, gasUsed)
  const entry = { scope: 'chain', subject: '', spent: gas, wasted: gas } as const
  await bookGas(row.network, [entry], pieceOf(ctx.clock.now())).execute(ctx.db)
  ctx.resources.meters.gas.inc({ network: row.network, use: 'wasted' }, gas)
}

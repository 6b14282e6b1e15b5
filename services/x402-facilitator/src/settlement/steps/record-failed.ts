import { pipelined } from '@callboard/store'
import type { Caip2 } from '@callboard/values'
import type { BatchingContext } from '../../context.ts'
import { movePayments } from '../../store/move.repository.ts'
import type { Payment } from '../../store/tables.ts'
import type { Failed } from '../batching/batcher.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { accountGas, burnedBy } from '../gas/account-gas.ts'

/**
 * Stores that payments of one network failed, and what that cost.
 * @returns the failed rows, undefined where another runner moved the payment or took it over
 */
export async function failAll(
  ctx: BatchingContext,
  network: Caip2,
  all: readonly Failed[],
): Promise<(Payment | undefined)[]> {
  const failed = await pipelined(ctx.db, async (tx, commitWith) => {
    const moves = all.map(({ move }) => move)
    const moved = await movePayments(moves, new Date(ctx.clock.now())).execute(tx)
    const ours = all.filter((_, index) => moved[index] !== undefined)
    const burned = ours.map(({ move: { seen }, gasUsed }) => ({
      row: seen,
      gas: burnedBy(seen, gasUsed),
      settled: false,
      isDebited: false,
    }))
    await commitWith(accountGas(ctx, network, burned))
    return moved
  })
  settlementFailpoints.hit('concluded', all.length)
  return failed
}

import { every } from '@callboard/runtime'
import type { FacilitatorContext } from '../context.ts'
import { PIECE_MS, windowsAt } from '../domain/gas-budget.ts'
import { forgetGas } from '../store/gas.repository.ts'

/** Drops what was spent before the start of every window. */
export const forgetOldGas = every<FacilitatorContext>('forget-gas', PIECE_MS, async ({ db, clock }) => {
  await forgetGas(db, windowsAt(clock.now()).day)
})

import { acknowledged } from './acknowledged.ts'
import { deadlines } from './deadlines.ts'
import { events } from './events.ts'
import type { Invariant } from './invariant.ts'
import { ledger } from './ledger.ts'
import { paidOnce } from './paid-once.ts'
import { projections } from './projections.ts'

/** Checked after every fault, in this order: the projection is compared once its events have arrived. */
export const invariants: readonly Invariant[] = [deadlines, acknowledged, events, ledger, paidOnce, projections]

import type { Table } from '../figure.ts'
import type { BoardGateway, BudgetKey } from './board-gateway.ts'
import { BEHAVIOURS, CELLS, type Cell, nameOf, ROWS } from './cells.ts'
import { BUDGET_NANO, NANO_PER_USD } from './price.ts'
import { type Ran, runCell } from './run-cell.ts'
import type { Upstream } from './upstream.ts'

/** The result of a cell, in nano-USD. */
export interface Measured extends Ran {
  readonly cell: Cell
  /** What the gateway says was spent, or why it cannot say. */
  readonly spent: bigint | string
  /** What the upstream actually billed. */
  readonly billed: bigint
  /** Calls that reached the upstream. */
  readonly calls: number
}

/** How many keys are created at a time. */
const MAKERS = 4

/** Runs every cell with a key of its own, and reads each key's spending at the end. */
export async function runBoard(
  gateway: BoardGateway,
  upstream: Upstream,
  cells: readonly Cell[] = CELLS,
): Promise<Measured[]> {
  const keys = new Map<number, BudgetKey>()
  const toMake = cells.values()
  const maker = async () => {
    for (const { id } of toMake) keys.set(id, await gateway.makeKey())
  }
  await Promise.all(Array.from({ length: MAKERS }, maker))
  const ran = new Map<number, Ran>()
  for (const cell of cells) {
    const key = keys.get(cell.id)
    if (key) ran.set(cell.id, await runCell(gateway, key, upstream, cell))
  }
  return Promise.all(
    cells.map(async (cell) => {
      const [key, how] = [keys.get(cell.id), ran.get(cell.id)]
      if (!key || !how) throw new Error(`cell ${cell.id} was not run`)
      const spent = await key.spent().catch((error: unknown) => String(error))
      const { calls = 0, nano = 0n } = upstream.bills.get(cell.id) ?? {}
      return { cell, spent, billed: nano, calls, ...how }
    }),
  )
}

/** Why a cell has no result; undefined where it has one. No money moves if no call gets through, which is no merit. */
export function unmeasured({ spent, calls, failed, firstFailure, cell }: Measured): string | undefined {
  if (calls === 0) return `no call reached the upstream; the first ended with ${firstFailure ?? 'a refusal'}`
  if (typeof spent === 'string') return spent
  return failed > 0 && !mayFail(cell) ? `${failed} calls failed, the first with ${firstFailure}` : undefined
}

const mayFail = ({ behaviour }: Cell): boolean =>
  behaviour === 'error before a byte' || behaviour === 'death in the answer'

/** Spent minus billed; null where the cell has no result. */
export const driftOf = (one: Measured): bigint | null =>
  typeof one.spent === 'bigint' && unmeasured(one) === undefined ? one.spent - one.billed : null

/** By how much the upstream billed more than the key's budget; failures of other calls do not change it. */
export const overrunOf = ({ billed }: Pick<Measured, 'billed'>): bigint =>
  billed > BUDGET_NANO ? billed - BUDGET_NANO : 0n

const usd = (nano: bigint): number => Number(nano) / Number(NANO_PER_USD)

/** The tables of one gateway: the errors of its account, and the overruns of its budgets. */
export function boardTables(name: string, measured: readonly Measured[]): Table[] {
  const table = (title: string, of: (one: Measured) => number | null): Table => ({
    title: `${name}: ${title}`,
    columns: BEHAVIOURS,
    rows: ROWS.map((row) => [
      nameOf(row),
      ...BEHAVIOURS.map((behaviour) => {
        const found = measured.find(
          ({ cell }) => cell.surface === row.surface && cell.stream === row.stream && cell.behaviour === behaviour,
        )
        return found ? of(found) : null
      }),
    ]),
  })
  return [
    table('spent less billed, nano-USD', (one) => {
      const drift = driftOf(one)
      return drift === null ? null : Number(drift)
    }),
    table('USD over the budget of 1', (one) => (one.calls === 0 ? null : usd(overrunOf(one)))),
  ]
}

/** The number of cells with an exact account and no overrun. */
export const exactOf = (measured: readonly Measured[]): number =>
  measured.filter((one) => driftOf(one) === 0n && overrunOf(one) === 0n).length

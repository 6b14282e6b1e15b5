import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'

interface Kept {
  readonly date: string
  readonly machine: string
  readonly comparisons: readonly { readonly what: string; readonly ours: number }[]
  readonly tables?: readonly {
    readonly title: string
    readonly columns: readonly string[]
    readonly rows: readonly (readonly [string, ...(number | null)[]])[]
  }[]
  readonly notes?: readonly string[]
}

const read = new Map<string, Kept>()

/** A figure as stored by `npm run bench`. */
export function kept(figure: string): Kept {
  const known = read.get(figure)
  if (known) return known
  const result = JSON.parse(readFileSync(join(ROOT, `bench/results/${figure}.json`), 'utf8')) as Kept
  read.set(figure, result)
  return result
}

/** @throws Error where the figure does not have the quantity */
export function measured(figure: string, what: string): number {
  const found = kept(figure).comparisons.find((one) => one.what === what)
  if (!found) throw new Error(`bench/results/${figure}.json has no "${what}"`)
  return found.ours
}

/** @throws Error where the figure does not have the cell */
export function counted(
  figure: string,
  { table, row, column }: { table: string; row: string; column: string },
): number {
  const found = kept(figure).tables?.find(({ title }) => title === table)
  const at = found?.columns.indexOf(column) ?? -1
  const value = at < 0 ? undefined : found?.rows.find(([name]) => name === row)?.[at + 1]
  if (typeof value !== 'number') throw new Error(`bench/results/${figure}.json has no ${row}, ${column}, in "${table}"`)
  return value
}

/** Memory of an index of listings, in MiB, parsed from a sentence in the figure's notes. */
export function indexMib(listings: number): number {
  const said = kept('discovery').notes?.find((note) =>
    note.includes(`An index of ${listings.toLocaleString('en-US')} `),
  )
  const [, mib] = /It takes (\d+) MiB/.exec(said ?? '') ?? []
  if (!mib) throw new Error(`bench/results/discovery.json does not say what an index of ${listings} listings takes`)
  return Number(mib)
}

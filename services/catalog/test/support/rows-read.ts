import { CompiledQuery } from 'kysely'
import type { CatalogDb } from '../../src/store/tables.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const readOf = (table: string, node: PlanNode): number =>
  (node['Relation Name'] === table
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, below) => sum + readOf(table, below), 0)

/** How many rows of a table the one statement of a repository's function reads. */
export async function rowsRead(
  db: CatalogDb,
  table: string,
  ask: (db: CatalogDb) => Promise<unknown>,
): Promise<number> {
  const sent: CompiledQuery[] = []
  const real = db.getExecutor()
  const executor: Pick<typeof real, 'transformQuery' | 'compileQuery' | 'executeQuery'> = {
    transformQuery: real.transformQuery.bind(real),
    compileQuery: real.compileQuery.bind(real),
    executeQuery: async (query) => {
      sent.push(query)
      return { rows: [] }
    },
  }
  await ask({ getExecutor: () => executor } as never)
  const [query] = sent
  if (!query) throw new Error('nothing was sent')
  const explained = CompiledQuery.raw(`explain (analyze, format json) ${query.sql}`, [...query.parameters])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('nothing was planned')
  return readOf(table, plan)
}

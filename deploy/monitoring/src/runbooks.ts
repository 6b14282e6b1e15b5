import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const RUNBOOKS = join(import.meta.dirname, '../../../docs/runbooks')

/** A query in a runbook. */
export interface RunbookQuery {
  readonly page: string
  readonly language: 'sql' | 'promql'
  readonly query: string
}

const BLOCK = /^```(sql|promql)\n([\s\S]*?)^```$/gm

/** Every query of every page. */
export const queriesOfRunbooks = (): RunbookQuery[] =>
  readdirSync(RUNBOOKS).flatMap((page) =>
    [...readFileSync(join(RUNBOOKS, page), 'utf8').matchAll(BLOCK)].flatMap(([, language, query]) =>
      query
        ? [{ page, language: language === 'sql' ? ('sql' as const) : ('promql' as const), query: query.trim() }]
        : [],
    ),
  )

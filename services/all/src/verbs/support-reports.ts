import { catalog, type OutputOf } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { callAsOperator, pagesOf } from './call-as-operator.ts'
import { printableJson } from './printable.ts'

const PAGE = 200

/** Prints all reports to the operator, newest day first, as JSON, so that no report can pass for our own output. */
export async function printReports(running: Running): Promise<number> {
  let shown = 0
  const pages = pagesOf<OutputOf<typeof catalog.reports>>('The reports cannot be read', (after) =>
    callAsOperator(running, catalog.reports, { limit: PAGE, after }),
  )
  for await (const { reports } of pages) {
    for (const report of reports) console.log(printableJson(report))
    shown += reports.length
  }
  console.log(`${shown} shown`)
  return 0
}

import { catalog, type OutputOf } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator } from './call-as-operator.ts'
import { printableJson } from './printable.ts'

const PAGE = 200

/** Prints all reports to the operator, newest day first, as JSON, so that no report can pass for our own output. */
export async function printReports(running: Running): Promise<number> {
  let shown = 0
  let after: OutputOf<typeof catalog.reports>['next']
  do {
    const page = await callAsOperator(running, catalog.reports, { limit: PAGE, after })
    if (isRefusal(page)) throw new Error('The reports cannot be read')
    for (const report of page.reports) console.log(printableJson(report))
    shown += page.reports.length
    after = page.next
  } while (after)
  console.log(`${shown} shown`)
  return 0
}

import { catalog } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator } from './call-as-operator.ts'
import { printableJson } from './printable.ts'

const MOST_SHOWN = 200

/** Prints the reports to the operator, newest day first, as JSON, so that no report can pass for our own output. */
export async function printReports(running: Running): Promise<number> {
  const answer = await callAsOperator(running, catalog.reports, { limit: MOST_SHOWN })
  if (isRefusal(answer)) throw new Error('The reports cannot be read')
  for (const report of answer.reports) console.log(printableJson(report))
  console.log(`${answer.reports.length} shown`)
  return 0
}

import type { Recording } from '../alerts/alert.ts'
import { BUDGET_DAYS, type Objective, RECORDED, shareOver } from './objective.ts'

/** The rate window of both series; events remain visible in them for this long. */
const RATE_WINDOW = '5m'

/** The series recorded for one objective at each evaluation. Its budget is a parameter of its alert. */
export const recordsOf = ({ id, bad, all, budget, burn }: Objective): Recording[] => {
  const labels = { slo: id }
  const parameters = { window: RATE_WINDOW }
  return [
    { record: RECORDED.bad, labels, parameters, expr: bad('%{window}') },
    { record: RECORDED.all, labels, parameters, expr: all('%{window}') },
    {
      record: RECORDED.budget,
      labels,
      parameters: { budget },
      parametersOf: burn.name,
      expr: `0 * sum(${RECORDED.all}{slo="${id}"}) + %{budget}`,
    },
  ]
}

/** Recorded for all of them, at long intervals, because it reads a month. */
export const BUDGET_RECORDS: readonly Recording[] = [
  {
    record: RECORDED.errors,
    labels: {},
    parameters: { period: `${BUDGET_DAYS}d` },
    expr: shareOver('%{period}', '', 'slo'),
  },
  {
    record: RECORDED.left,
    labels: {},
    parameters: {},
    expr: `1 - sum by (slo) (${RECORDED.errors}) / sum by (slo) (${RECORDED.budget})`,
  },
]

import type { Recording } from '../alerts/alert.ts'
import { BUDGET_DAYS, type Objective, RECORDED, shareOver } from './objective.ts'

/** Over so much both series are rates; what ended is seen in them so much longer. */
const RATE_WINDOW = '5m'

/** What is recorded of one objective at each evaluation. Its budget is the parameter of its alert. */
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

/** What is recorded of all of them, seldom, because it reads a month. */
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

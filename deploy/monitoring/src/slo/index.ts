import type { Group } from '../alerts/alert.ts'
import { burnAlert } from './burn.ts'
import { OBJECTIVES } from './objectives.ts'
import { BUDGET_RECORDS, recordsOf } from './records.ts'

/** The objectives in Prometheus: series are recorded before they are read. */
export const OBJECTIVE_GROUPS: readonly Group[] = [
  { name: 'objectives', records: OBJECTIVES.flatMap(recordsOf), alerts: OBJECTIVES.map(burnAlert) },
  { name: 'budgets', interval: '5m', records: BUDGET_RECORDS, alerts: [] },
]

import { fileNameOf } from '../rules.ts'
import { SCOPE, scoped } from '../scope.ts'
import type { Panel, Row } from './dashboard.ts'
import { dataLinks } from './links.ts'

const COLUMNS = 24
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

/** The instances selected by the dashboard's variables; a series without the label matches any. */
const CHOSEN = SCOPE.map((label) => `${label}=~"$${label}"`).join(', ')

const widthOf = ({ kind, width }: Panel) => width ?? (kind === 'stat' ? 4 : 8)
const heightOf = ({ kind }: Panel) => (kind === 'stat' ? 4 : 7)

/** Rows as Grafana's list of panels: numbered, and placed from left to right and from top to bottom. */
export function placed(rows: readonly Row[]): object[] {
  const all: object[] = []
  let y = 0
  for (const row of rows) {
    all.push({
      id: all.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    })
    y += 1
    let x = 0
    let h = 0
    for (const panel of row.panels) {
      if (x + widthOf(panel) > COLUMNS) [x, y, h] = [0, y + h, 0]
      all.push(panelJson(panel, all.length + 1, { x, y, w: widthOf(panel), h: heightOf(panel) }))
      x += widthOf(panel)
      h = Math.max(h, heightOf(panel))
    }
    y += h
  }
  return all
}

/** A panel's description, and the page of its alert. */
const described = ({ description, alert }: Panel) =>
  alert ? `${description} Alert: ${alert}, docs/runbooks/${fileNameOf(alert)}.md.` : description

function panelJson(panel: Panel, id: number, gridPos: object): object {
  const { kind = 'timeseries', title, unit, queries } = panel
  const links = dataLinks(panel)
  return {
    id,
    type: kind,
    title,
    description: described(panel),
    gridPos,
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      editorMode: 'code',
      expr: scoped(expr, CHOSEN),
      legendFormat: legend,
      // A single value is a current one: over a range Grafana would show a dead process's last value.
      ...(kind === 'stat' ? { instant: true, range: false } : { range: true }),
      // A bucket names the trace of its latest measurement.
      ...(kind === 'timeseries' && expr.includes('_bucket') ? { exemplar: true } : {}),
    })),
    fieldConfig: {
      defaults: {
        unit,
        noValue: 'no data',
        ...(links.length > 0 ? { links } : {}),
        ...(kind === 'stat' ? coloured(panel) : lines),
      },
      overrides: [],
    },
    options: kind === 'stat' ? SINGLE : LINES,
  }
}

const lines = {
  min: 0,
  color: { mode: 'palette-classic' },
  custom: { drawStyle: 'line', lineWidth: 1, fillOpacity: 8, showPoints: 'never', spanNulls: false },
}

/** Green while all is well: below the limits, or above them where red is the lower one. */
function stepsOf({ orange, red }: NonNullable<Panel['limits']>): object[] {
  const [low, high] = red < orange ? ['red', 'green'] : ['green', 'red']
  return [
    { color: low, value: null },
    { color: 'orange', value: Math.min(orange, red) },
    { color: high, value: Math.max(orange, red) },
  ]
}

const coloured = ({ limits }: Panel) => ({
  color: { mode: 'thresholds' },
  thresholds: { mode: 'absolute', steps: limits ? stepsOf(limits) : [{ color: 'green', value: null }] },
})

const LINES = {
  legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['last', 'max'] },
  tooltip: { mode: 'multi', sort: 'desc' },
}

const SINGLE = {
  reduceOptions: { calcs: ['last'], fields: '', values: false },
  colorMode: 'value',
  graphMode: 'area',
  justifyMode: 'auto',
  orientation: 'auto',
  textMode: 'auto',
}

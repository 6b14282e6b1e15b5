import { SCOPE, scoped } from './scope.ts'

/** One line of a panel. */
export interface Query {
  readonly expr: string
  /** With `{{label}}` for the value of a label. */
  readonly legend: string
}

/** A panel as it is thought of; `panelJson` gives it Grafana's shape. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Grafana's id of a unit: `s`, `reqps`, `percentunit`, `short`. */
  readonly unit: string
  /** Absent: lines over time. */
  readonly kind?: 'timeseries' | 'stat'
  /** Of 24 columns; absent: 12, and 4 for a single value. */
  readonly width?: number
  readonly queries: readonly Query[]
  /** From here on a single value is orange, or red. */
  readonly limits?: { readonly orange: number; readonly red: number }
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const COLUMNS = 24
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

/** The instances that the dashboard's variables choose; a series without the label is of any. */
const CHOSEN = SCOPE.map((label) => `${label}=~"$${label}"`).join(', ')

const widthOf = ({ kind, width }: Panel) => width ?? (kind === 'stat' ? 4 : 12)
const heightOf = ({ kind }: Panel) => (kind === 'stat' ? 4 : 8)

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

function panelJson(panel: Panel, id: number, gridPos: object): object {
  const { kind = 'timeseries', title, description, unit, queries } = panel
  return {
    id,
    type: kind,
    title,
    description,
    gridPos,
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      editorMode: 'code',
      expr: scoped(expr, CHOSEN),
      legendFormat: legend,
      // A single value is of now: of a range Grafana would show what a dead process said last.
      ...(kind === 'stat' ? { instant: true, range: false } : { range: true }),
    })),
    fieldConfig: {
      defaults: { unit, noValue: 'no data', ...(kind === 'stat' ? coloured(panel) : lines) },
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

const coloured = ({ limits }: Panel) => ({
  color: { mode: 'thresholds' },
  thresholds: {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      ...(limits
        ? [
            { color: 'orange', value: limits.orange },
            { color: 'red', value: limits.red },
          ]
        : []),
    ],
  },
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

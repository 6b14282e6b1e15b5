/** One line of a panel. */
export interface Query {
  readonly expr: string
  /** With `{{label}}` as placeholder for a label's value. */
  readonly legend: string
}

/** The design of a panel; `placed` gives it Grafana's shape. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Grafana's id for a unit: `s`, `reqps`, `percentunit`, `short`. */
  readonly unit: string
  /** Absent: lines over time. */
  readonly kind?: 'timeseries' | 'stat'
  /** Out of 24 columns; absent: 8, or 4 for a single value. */
  readonly width?: number
  readonly queries: readonly Query[]
  /** Thresholds from which a single value is orange, or red; values below them, where red is the lower one. */
  readonly limits?: { readonly orange: number; readonly red: number }
  /** The alert for the same condition, whose page says what to do. */
  readonly alert?: string
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

/** The dashboard of one component, at most two screens long. */
export interface Dashboard {
  /** The name of its file, and the suffix of its uid. */
  readonly name: string
  readonly title: string
  /** One sentence. */
  readonly description: string
  readonly rows: readonly Row[]
}

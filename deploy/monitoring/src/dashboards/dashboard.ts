/** One line of a panel. */
export interface Query {
  readonly expr: string
  /** With `{{label}}` for the value of a label. */
  readonly legend: string
}

/** A panel as it is thought of; `placed` gives it Grafana's shape. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Grafana's id of a unit: `s`, `reqps`, `percentunit`, `short`. */
  readonly unit: string
  /** Absent: lines over time. */
  readonly kind?: 'timeseries' | 'stat'
  /** Of 24 columns; absent: 8, and 4 for a single value. */
  readonly width?: number
  readonly queries: readonly Query[]
  /** From here on a single value is orange, or red; below, where red is the lower one. */
  readonly limits?: { readonly orange: number; readonly red: number }
  /** The alert that watches the same, whose page says what to do. */
  readonly alert?: string
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

/** The dashboard of one component, on two screens at most. */
export interface Dashboard {
  /** The name of its file, and the end of its uid. */
  readonly name: string
  readonly title: string
  /** One sentence. */
  readonly description: string
  readonly rows: readonly Row[]
}

/** A value that an operator may give a rule: a count, a share, seconds, or a duration such as `2m`. */
export type Parameter = number | string

type Named<Parameters> = { readonly [Name in keyof Parameters]: string }

/** What keeps an alert from firing without a word: its metric shown by no process. */
export interface Sight {
  readonly metric: string
  /** Whether every instance shows it; else only one that has what it is about, such as models. */
  readonly isEverywhere: boolean
}

/** One alert, with `%{name}` wherever a parameter stands. */
export interface Alert {
  /** As Prometheus calls it: `OutboxStuck`. */
  readonly name: string
  /** `critical` wakes the person on call, `warning` waits for working hours, `none` is for a machine. */
  readonly severity: 'critical' | 'warning' | 'none'
  /** Their defaults. `for` is how long the condition must hold. */
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly expr: string
  readonly summary: string
  readonly description: string
  readonly sight?: Sight | undefined
  /** The service that the rule is about, where every service has one of its own. */
  readonly service?: string | undefined
}

/** A series that Prometheus makes of others at each evaluation, with `%{name}` wherever a parameter stands. */
export interface Recording {
  readonly record: string
  readonly labels: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, Parameter>>
  /** The alert whose parameters an operator sets for it too. */
  readonly parametersOf?: string
  readonly expr: string
}

export interface Group {
  readonly name: string
  /** How often it is evaluated; absent: as often as Prometheus evaluates rules. */
  readonly interval?: string
  /** Recorded before the alerts are asked. */
  readonly records?: readonly Recording[]
  readonly alerts: readonly Alert[]
}

/** An alert whose expression names its parameters by their names, so that a wrong one does not compile. */
export const alert = <const Parameters extends Readonly<Record<string, Parameter>>>(
  given: Omit<Alert, 'parameters' | 'expr'> & {
    readonly parameters: Parameters
    readonly expr: (parameters: Named<Parameters>) => string
  },
): Alert => {
  const names = Object.keys(given.parameters).map((name) => [name, `%{${name}}`])
  return { ...given, expr: given.expr(Object.fromEntries(names) as Named<Parameters>) }
}

/** How the gauges of several processes are made one. */
interface Held {
  readonly of: 'max' | 'min'
  readonly by: string
  readonly hold: string
}

/**
 * A gauge as the processes show it now; where none does, as it was last seen. An alert does not end because the process
 * that shows its metric died.
 */
export const held = (metric: string, { of, by, hold }: Held): string => {
  const as = by === '' ? of : `${of} by (${by})`
  return `(${as} (${metric}) or ${as} (last_over_time(${metric}[${hold}])))`
}

/** For so long an alert goes on without its metric. TargetDown or AlertBlind fires long before. */
export const HOLD = '1h'

export const everywhere = (metric: string): Sight => ({ metric, isEverywhere: true })
export const whereConfigured = (metric: string): Sight => ({ metric, isEverywhere: false })

/** A value that an operator may set for a rule: a count, a share, seconds, or a duration such as `2m`. */
export type Parameter = number | string

type Named<Parameters> = { readonly [Name in keyof Parameters]: string }

/** What would silence an alert: no process shows its metric. */
export interface Sight {
  readonly metric: string
  /** Whether every instance shows it; else only one with the alert's subject, such as models. */
  readonly isEverywhere: boolean
  /** The only service that shows it: an instance without that service has nothing to see. */
  readonly service?: string | undefined
}

/** One alert, with `%{name}` in place of each parameter. */
export interface Alert {
  /** Its name in Prometheus: `OutboxStuck`. */
  readonly name: string
  /** `critical` wakes the person on call, `warning` waits for working hours, `none` is for a machine. */
  readonly severity: 'critical' | 'warning' | 'none'
  /** Default values. `for` is how long the condition must hold. */
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly expr: string
  readonly summary: string
  readonly description: string
  readonly sight?: Sight | undefined
  /** The service of the rule, where every service has one of its own. */
  readonly service?: string | undefined
}

/** A series that Prometheus records at each evaluation, with `%{name}` in place of each parameter. */
export interface Recording {
  readonly record: string
  readonly labels: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, Parameter>>
  /** The alert whose parameters also apply to it. */
  readonly parametersOf?: string
  readonly expr: string
}

export interface Group {
  readonly name: string
  /** How often it is evaluated; absent: at Prometheus's own interval. */
  readonly interval?: string
  /** Recorded before the alerts are evaluated. */
  readonly records?: readonly Recording[]
  readonly alerts: readonly Alert[]
}

/** An alert whose expression refers to its parameters by name, so that a wrong one does not compile. */
export const alert = <const Parameters extends Readonly<Record<string, Parameter>>>(
  given: Omit<Alert, 'parameters' | 'expr'> & {
    readonly parameters: Parameters
    readonly expr: (parameters: Named<Parameters>) => string
  },
): Alert => {
  const names = Object.keys(given.parameters).map((name) => [name, `%{${name}}`])
  return { ...given, expr: given.expr(Object.fromEntries(names) as Named<Parameters>) }
}

/** How the gauges of several processes are combined. */
interface Held {
  readonly of: 'max' | 'min'
  readonly by: string
  readonly hold: string
}

/**
 * A gauge as processes show it now, or as last seen where none does. An alert must not end because the process that
 * shows its metric died.
 */
export const held = (metric: string, { of, by, hold }: Held): string => {
  const as = by === '' ? of : `${of} by (${by})`
  return `(${as} (${metric}) or ${as} (last_over_time(${metric}[${hold}])))`
}

/** How long an alert continues without its metric. TargetDown or AlertBlind fires long before. */
export const HOLD = '1h'

/** @param service the only one that shows it */
export const everywhere = (metric: string, service?: string): Sight => ({ metric, isEverywhere: true, service })
export const whereConfigured = (metric: string, service?: string): Sight => ({ metric, isEverywhere: false, service })

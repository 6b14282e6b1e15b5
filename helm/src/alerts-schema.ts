import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { parse } from 'yaml'

type Schema = Readonly<Record<string, unknown>>

interface ChartRules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly defaults: Readonly<Record<string, unknown>>
      readonly rule: { readonly alert?: string }
    }[]
  }[]
}

const DURATION = '^[0-9]+(ms|s|m|h|d)$'

/** The schema of a parameter, from its default: it is inserted into an expression, so it must not contain quotes. */
function schemaOf(value: unknown): Schema {
  if (typeof value === 'boolean') return { type: 'boolean' }
  if (typeof value === 'number') return { type: 'number', minimum: 0 }
  if (new RegExp(DURATION).test(String(value))) return { type: 'string', pattern: DURATION }
  return { type: 'string', pattern: '^[^"\\\\]+$' }
}

/** By alert, the schema of `monitoring.rules.alerts`. */
export function alertSchemas(): Record<string, Schema> {
  const text = readFileSync(join(ROOT, 'deploy/monitoring/chart/rules.yaml'), 'utf8')
  const rules = (parse(text) as ChartRules).groups.flatMap((group) => group.rules)
  return Object.fromEntries(
    rules.flatMap(({ defaults, rule: { alert } }) => {
      // A recording takes its parameters from an alert.
      if (!alert) return []
      const properties = Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, schemaOf(value)]))
      return [[alert, { type: 'object', additionalProperties: false, properties }]]
    }),
  )
}

import { z } from 'zod'

/** The environment as a process sees it. */
export type Env = Readonly<Record<string, string | undefined>>

/** A service's settings: each member is an environment variable, its description the sentence in docs/configuration.md. */
export type ConfigSchema = z.ZodObject

/** One setting that is wrong, said so that it can be mended. */
export interface ConfigProblem {
  readonly setting: string
  readonly reason: string
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(`The configuration has problems:\n${problems.map((p) => `  ${p.setting}: ${p.reason}`).join('\n')}`)
    this.problems = problems
  }
}

/** An empty variable is the same as an absent one. */
const given = (env: Env) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

/**
 * Reads several schemas from one environment and reports every problem of all of them together.
 * @returns the frozen configurations, in the order of the schemas
 * @throws ConfigError
 */
export function readConfigs(schemas: readonly ConfigSchema[], env: Env): readonly Readonly<Record<string, unknown>>[] {
  const problems = new Map<string, ConfigProblem>()
  const values = schemas.map((schema) => {
    const parsed = schema.safeParse(given(env))
    if (parsed.success) return Object.freeze(parsed.data)
    for (const issue of parsed.error.issues) {
      const setting = issue.path.join('.') || 'configuration'
      const reason = env[setting] ? issue.message : 'is required'
      problems.set(setting, { setting, reason })
    }
    return {}
  })
  if (problems.size > 0) throw new ConfigError([...problems.values()])
  return values
}

/** Marks a setting that is never printed. */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ secret: true }) as Schema

const isSecret = (schema: z.ZodType): boolean => {
  if (schema.meta()?.secret === true) return true
  const inner = (schema as { def?: { innerType?: z.ZodType } }).def?.innerType
  return inner ? isSecret(inner) : false
}

/** Name and value of every setting, secrets masked: what `--print-config` shows. */
export function printable(schema: ConfigSchema, config: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const value = config[name]
    const shown = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    return [name, isSecret(field as z.ZodType) && shown !== '' ? '********' : shown]
  })
}

/** `true`, `false`, `1` or `0` in the environment. */
export const envBoolean = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')

/** JSON text in the environment, of the given shape. */
export const envJson = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        ctx.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

/** A whole number between bounds in the environment. */
export const envInt = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

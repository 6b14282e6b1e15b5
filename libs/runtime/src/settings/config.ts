import { z } from 'zod'
import { ConfigError, type ConfigProblem, type Env } from './config-error.ts'
import { LiveSettings } from './live-settings.ts'
import { FILE_ENDING, type WithFiles, withFiles } from './setting-files.ts'
import { type ConfigSchema, hasKeysInUrls, isSecret } from './setting-marks.ts'

export * from './config-error.ts'
export { type ConfigSchema, rotates, secret, type Unrotatable } from './setting-marks.ts'

/** An empty variable counts as absent. */
const given = (env: Env) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

/** Configurations, and those of their settings that may change while the process runs. */
export interface LiveConfigs {
  /** Frozen, in the order of the schemas; a rotating member is read anew each time. */
  readonly configs: readonly Readonly<Record<string, unknown>>[]
  readonly live: LiveSettings
}

/**
 * Reads several schemas from one environment, in which `NAME_FILE` may name the file that contains a setting, and
 * reports all of their problems together.
 * @throws ConfigError
 */
export function readLiveConfigs(schemas: readonly ConfigSchema[], given: Env): LiveConfigs {
  const {
    env,
    paths,
    problems: unread,
  } = withFiles(
    given,
    schemas.flatMap((schema) => Object.keys(schema.shape)),
  )
  const problems = new Map(unread.map((problem) => [problem.setting.replace(/_FILE$/, ''), problem]))
  const values = schemas.map((schema) => valuesOf(schema, { env, paths, problems }))
  if (problems.size > 0) throw new ConfigError([...problems.values()])
  const live = new LiveSettings(schemas, values, paths)
  return { configs: values.map((one) => live.shown(one)), live }
}

/** Parses the values of one schema; faults are added to the problems, once per setting. */
function valuesOf(
  schema: ConfigSchema,
  { env, paths, problems }: Pick<WithFiles, 'env' | 'paths'> & { readonly problems: Map<string, ConfigProblem> },
): Record<string, unknown> {
  const parsed = schema.safeParse(given(env))
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const setting = issue.path.join('.') || 'configuration'
    const reason = env[setting] ? issue.message : 'is required'
    const file = `${String(issue.path[0])}${FILE_ENDING}`
    // For a value from a file, the environment contained the setting that names the file.
    const said = paths.has(String(issue.path[0])) ? `${reason} (its text comes from the file of ${file})` : reason
    if (!problems.has(setting)) problems.set(setting, { setting, reason: said })
  }
  return {}
}

/**
 * Reads several schemas from one environment and reports all of their problems together.
 * @returns the frozen configurations, in the order of the schemas
 * @throws ConfigError
 */
export const readConfigs = (schemas: readonly ConfigSchema[], env: Env): LiveConfigs['configs'] =>
  readLiveConfigs(schemas, env).configs

const MASK = '********'

/** Text without the user and the password of any URL in it. */
const withoutSignIns = (text: string): string => text.replace(/:\/\/[^/?#\s"]*@/g, `://${MASK}@`)

/** Text with the origins of its URLs, and whether there was more. */
const withOrigins = (text: string): string =>
  text.replace(/([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#"\s]*@)?([^/?#"\s]*)\/?([^"\s]*)/gi, (_, scheme, host, rest) =>
    rest === '' ? `${scheme}${host}` : `${scheme}${host}/${MASK}`,
  )

/** Name and value of every setting for `--print-config`: secrets masked, and keys in URLs. */
export function printable(schema: ConfigSchema, config: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(schema.shape).map(([name, shape]) => {
    const field = shape as z.ZodType
    const value = config[name]
    const shown = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    if (isSecret(field)) return [name, shown === '' ? '' : MASK]
    return [name, hasKeysInUrls(field) ? withOrigins(shown) : withoutSignIns(shown)]
  })
}

/** `true`, `false`, `1` or `0` in the environment. */
export const envBoolean = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')

/** JSON text in the environment, validated by a schema. */
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

/** A whole number within bounds in the environment. */
export const envInt = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

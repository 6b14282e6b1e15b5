import {
  ConfigError,
  type ConfigSchema,
  type Env,
  printable,
  runtimeConfigOf,
  type ServiceModule,
  withFiles,
} from '@callboard/runtime'
import type { z } from 'zod'

/** The placeholder for a setting that a part provides once it runs. */
const LATER = '(given by a part that the instance embeds)'

/**
 * Prints the settings of services, secrets masked, and starts nothing.
 * @param later settings that embedded parts would provide: unset ones are printed as such
 * @returns the exit code
 * @throws ConfigError with every other problem
 */
export async function printConfig(
  chosen: readonly ServiceModule[],
  given: Env,
  later: readonly string[] = [],
): Promise<number> {
  const shown = new Map<string, string>()
  const schemas = [runtimeConfigOf(chosen), ...chosen.map(({ config }) => config)]
  const names = schemas.flatMap(({ shape }) => Object.keys(shape))
  const { env, problems } = withFiles(given, names)
  if (problems.length > 0) throw new ConfigError(problems)
  const isLater = (name: string) => later.includes(name) && !env[name]
  for (const config of schemas) {
    for (const [name, value] of printable(config, valuesOf(config, env, isLater)))
      shown.set(name, isLater(name) ? LATER : value)
  }
  for (const [name, value] of shown) console.log(`${name}=${value}`)
  return 0
}

/** The values of a schema; read one by one where only later ones are missing. */
function valuesOf(config: ConfigSchema, env: Env, isLater: (name: string) => boolean): Record<string, unknown> {
  const parsed = config.safeParse(env)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({ setting: path.join('.'), reason: message }))
  const ours = problems.filter(({ setting }) => !isLater(setting.split('.')[0] ?? ''))
  if (ours.length > 0) throw new ConfigError(ours)
  return Object.fromEntries(
    Object.entries(config.shape).map(([name, field]) => [name, (field as z.ZodType).safeParse(env[name]).data]),
  )
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

export const DEPLOY = join(import.meta.dirname, '..')

/** The parts of a compose service that our tests read. */
export interface ComposeService {
  readonly stop_grace_period?: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number | null>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes?: Readonly<Record<string, unknown>>
}

export const textOf = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

/** The variables used in a compose file. */
export const variablesOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)/g)].flatMap(([, name]) => name ?? []))

/**
 * Fills `${NAME}`, `${NAME-word}`, `${NAME:-word}` and `${NAME:?message}` as the compose specification says.
 * @throws Error with the message of a required variable
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{([A-Z0-9_]+)(?:(:?[-?])([^}]*))?\}/g, (_, name: string, kind?: string, word = '') => {
    const value = env[name]
    const isThere = kind?.startsWith(':') ? value !== undefined && value !== '' : value !== undefined
    if (isThere) return value ?? ''
    if (kind?.endsWith('?')) throw new Error(word)
    return word
  })
}

/** A compose file with variables filled in its values, after parsing the YAML, as compose does. */
export const composeFile = (file: string, env: Readonly<Record<string, string>>): ComposeFile =>
  JSON.parse(JSON.stringify(parse(textOf(file), { merge: true })), (_, value: unknown) =>
    typeof value === 'string' ? interpolate(value, env) : value,
  )

const specification = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(textOf('test/compose-spec.schema.json')),
)

/**
 * The compose specification's errors for a file; empty when valid.
 * @source compose-spec/compose-go v2.16.2, schema/compose-spec.json (Apache-2.0)
 */
export function specificationErrors(file: ComposeFile): string[] {
  specification(file)
  return (specification.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

import type { z } from 'zod'
import { readSettingFile } from './setting-files.ts'
import { type ConfigSchema, rotationOf } from './setting-marks.ts'

/** What was found for one setting whose file has changed. */
export interface Rotation {
  readonly setting: string
  /** Why the old value stays; absent where the new one replaced it. */
  readonly refused?: string
}

interface Field {
  readonly schema: z.ZodType
  /** The object that holds the value. */
  readonly values: Record<string, unknown>
}

interface Watched {
  readonly path: string
  readonly fields: readonly Field[]
  text: string
  /** The last fault reported for the file. */
  refused: string | undefined
}

/**
 * The rotating settings that files provide. A new text takes effect in all configurations at once, or in none: one that
 * does not parse, or that names another server, is refused, and the old one stays in use.
 */
export class LiveSettings {
  readonly #watched = new Map<string, Watched>()

  /** @param values of the schemas, in their order; updated in place */
  constructor(
    schemas: readonly ConfigSchema[],
    values: readonly Record<string, unknown>[],
    paths: ReadonlyMap<string, string>,
  ) {
    for (const [setting, path] of paths) {
      const fields = schemas.flatMap(({ shape }, index): Field[] => {
        const schema = shape[setting] as z.ZodType | undefined
        const own = values[index]
        return schema && own ? [{ schema, values: own }] : []
      })
      if (!fields.some(({ schema }) => rotationOf(schema))) continue
      this.#watched.set(setting, { path, fields, text: readSettingFile(path), refused: undefined })
    }
  }

  /** The watched settings. */
  get settings(): readonly string[] {
    return [...this.#watched.keys()]
  }

  /** Whether a setting may change while the process runs. */
  has(setting: string): boolean {
    return this.#watched.has(setting)
  }

  /** A configuration as its readers see it: frozen, with rotating members read anew each time. */
  shown(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const shown = {}
    for (const [name, value] of Object.entries(values)) {
      const read = this.has(name) ? { get: () => values[name] } : { value }
      Object.defineProperty(shown, name, { ...read, enumerable: true })
    }
    return Object.freeze(shown)
  }

  /** Reads the files again. @returns the outcome of those that changed, each refusal once */
  look(): readonly Rotation[] {
    return [...this.#watched].flatMap(([setting, watched]) => lookAt(setting, watched))
  }

  /** Why the newest text of a setting is refused; undefined where it is in use. */
  refusal(setting: string): string | undefined {
    return this.#watched.get(setting)?.refused
  }
}

function lookAt(setting: string, watched: Watched): Rotation[] {
  const before = watched.refused
  try {
    const text = readSettingFile(watched.path)
    watched.refused = undefined
    if (text === watched.text) return []
    replace(setting, watched, text)
    watched.text = text
    return [{ setting }]
  } catch (error) {
    watched.refused = (error as Error).message
    return watched.refused === before ? [] : [{ setting, refused: watched.refused }]
  }
}

/** Writes a new text into all configurations. @throws Error that says why not, without quoting the text */
function replace(setting: string, { fields }: Watched, text: string): void {
  const parsed = fields.map(({ schema, values }) => {
    const { success, data, error } = schema.safeParse(text)
    if (!success) throw new Error(error.issues.map(({ message }) => message).join('; '))
    const reason = rotationOf(schema)?.(values[setting], data)
    if (reason) throw new Error(reason)
    return data
  })
  for (const [index, { values }] of fields.entries()) values[setting] = parsed[index]
}

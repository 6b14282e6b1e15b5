import type { z } from 'zod'
import { readSettingFile } from './setting-files.ts'
import { type ConfigSchema, rotationOf } from './setting-marks.ts'

/** What a look found of one setting whose file says something new. */
export interface Rotation {
  readonly setting: string
  /** Why the old value stays; absent where the new one has taken its place. */
  readonly refused?: string
}

interface Field {
  readonly schema: z.ZodType
  /** Where the value stands. */
  readonly values: Record<string, unknown>
}

interface Watched {
  readonly path: string
  readonly fields: readonly Field[]
  text: string
  /** What was last said against the file. */
  refused: string | undefined
}

/**
 * The settings that rotate and that files give. A new text takes the place of the old one in all configurations at once, or
 * in none: one that does not parse, or that asks for another server, is refused, and the old one serves on.
 */
export class LiveSettings {
  readonly #watched = new Map<string, Watched>()

  /** @param values of the schemas, in their order; they are written to */
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

  /** The settings that are looked at. */
  get settings(): readonly string[] {
    return [...this.#watched.keys()]
  }

  /** Whether a setting may change while the process runs. */
  has(setting: string): boolean {
    return this.#watched.has(setting)
  }

  /** A configuration as its readers have it: frozen, with what rotates read anew each time. */
  shown(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const shown = {}
    for (const [name, value] of Object.entries(values)) {
      const read = this.has(name) ? { get: () => values[name] } : { value }
      Object.defineProperty(shown, name, { ...read, enumerable: true })
    }
    return Object.freeze(shown)
  }

  /** Reads the files again. @returns what became of those that say something new, each refusal once */
  look(): readonly Rotation[] {
    return [...this.#watched].flatMap(([setting, watched]) => lookAt(setting, watched))
  }

  /** Why the newest text of a setting is refused; undefined where it serves. */
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

/** Puts a new text into all configurations. @throws Error that says why not, without anything of the text */
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

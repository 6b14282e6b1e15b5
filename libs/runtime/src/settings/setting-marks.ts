import type { z } from 'zod'

/** A service's settings: each member is an environment variable, its description the text in docs/configuration.md. */
export type ConfigSchema = z.ZodObject

/** Marks a setting that is never printed. */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ secret: true }) as Schema

/** Returns why a value may not replace another while the process runs; undefined where it may. */
export type Unrotatable = (before: unknown, now: unknown) => string | undefined

/** Marks a secret whose file is read again when it changes: whoever reads the setting then gets the new value. */
export const rotates = <Schema extends z.ZodType>(schema: Schema, unrotatable: Unrotatable = () => undefined): Schema =>
  schema.meta({ ...schema.meta(), secret: true, unrotatable }) as Schema

/** The mark of a setting, even if its schema is wrapped. */
function markOf(schema: z.ZodType, mark: string): unknown {
  const own = schema.meta()?.[mark]
  if (own !== undefined) return own
  const inner = (schema as { def?: { innerType?: z.ZodType } }).def?.innerType
  return inner ? markOf(inner, mark) : undefined
}

/**
 * Whether the URLs of a setting hold keys in what follows their origin, as those of RPC providers do. A library that
 * does not know this room marks such a setting by `meta({ keysInUrls: true })`.
 */
export const hasKeysInUrls = (schema: z.ZodType): boolean => markOf(schema, 'keysInUrls') === true

/** Whether a setting is never printed. */
export const isSecret = (schema: z.ZodType): boolean => markOf(schema, 'secret') === true

/** Whether and how a setting rotates; undefined for one that does not. */
export const rotationOf = (schema: z.ZodType): Unrotatable | undefined =>
  markOf(schema, 'unrotatable') as Unrotatable | undefined

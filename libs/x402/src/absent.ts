import { z } from 'zod'
import { isObject } from './json.ts'

/** An object without the members that are `null`; anything else as it is. */
export const withoutNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value

/**
 * Reads an object in which a member that is `null` counts as absent: serializers of typed languages write out every
 * optional member, x402-axum among them. A required member that is `null` is missing, as before.
 */
export const nullsAbsent = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(withoutNulls, schema)

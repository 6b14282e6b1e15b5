import { z } from 'zod'
import { isObject } from '../json.ts'

/** An object without its `null` members; any other value unchanged. */
export const withoutNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value

/**
 * Reads an object in which a `null` member counts as absent: serializers of typed languages, x402-axum among them,
 * write out every optional member. A required member that is `null` is still missing.
 */
export const nullsAbsent = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(withoutNulls, schema)

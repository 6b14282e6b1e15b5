import { z } from 'zod'
import type { HttpBinding, Operation } from './operation.ts'

type JsonObject = Record<string, unknown>

/** The names of the `:parameters` of a path. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '')

/** Whether a method takes its input, apart from path parameters, as a body. */
export const hasBody = (http: Pick<HttpBinding, 'method'>): boolean => !['GET', 'DELETE'].includes(http.method)

/** Input members that are preconditions of a request, and the headers that carry them (RFC 9110 §13.1). */
export const PRECONDITIONS = { ifMatch: 'If-Match', ifNoneMatch: 'If-None-Match' } as const

/** Input members that a client of Anthropic's API sends in headers, and the names of those headers. */
export const ANTHROPIC_HEADERS = { anthropicVersion: 'anthropic-version', anthropicBeta: 'anthropic-beta' } as const

/** Input members that a client sends in headers, by name. */
export const IN_HEADERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...PRECONDITIONS, ...ANTHROPIC_HEADERS }),
)

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return rest
}

/**
 * Returns the JSON Schemas of a paid operation's body and answer, as its offer states them: with every reference
 * inlined, since an offer cannot resolve any.
 * @throws Error for an operation that takes parameters, or is not sold
 */
export function soldSchemas(op: Operation): { readonly input: JsonObject; readonly output: JsonObject } {
  const { http } = op
  if (!http?.paid || !hasBody(http) || pathParameters(http.path).length > 0) throw new Error(`${op.id} sells no body`)
  const { properties = {} } = jsonSchema(op.output, 'output')
  return { input: jsonSchema(op.input, 'input'), output: (properties as JsonObject).result as JsonObject }
}

/** Whether an answer is the same for every caller, so that shared caches may store it (RFC 9111 §5.2.2.9). */
export const isShared = ({ cache }: Pick<HttpBinding, 'cache'>): boolean => cache?.startsWith('public') === true

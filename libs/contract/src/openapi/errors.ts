import { z } from 'zod'
import type { RefusalDeclaration, Surface } from '../refusal.ts'
import { type Components, pascalCase } from './components.ts'
import type { JsonObject } from './json-schema.ts'

/** What each shape of body adds to a refusal's schema name. */
export const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  api: '',
  oauth: 'OAuth',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
}

/**
 * The body of one refusal: `{error, message, field?}`; on OAuth routes `{error, error_description}` (RFC 6749 §5.2); on
 * the model routes the shapes of OpenAI's and Anthropic's clients.
 */
const BODIES: Readonly<Record<Surface, (refusal: RefusalDeclaration) => z.ZodObject>> = {
  api: ({ code, details }) =>
    z.object({ error: z.literal(code), message: z.string(), field: z.string().optional(), ...details }),
  oauth: ({ code, details }) => z.object({ error: z.literal(code), error_description: z.string(), ...details }),
  openai: ({ code, details }) =>
    z.object({
      error: z.object({
        message: z.string(),
        type: z.string(),
        param: z.string().nullable(),
        code: z.literal(code),
        ...details,
      }),
    }),
  anthropic: ({ details }) =>
    z.object({
      type: z.literal('error'),
      error: z.object({ type: z.string(), message: z.string(), ...details }),
      request_id: z.string(),
    }),
}

const bodyOf = (declaration: RefusalDeclaration, surface: Surface) =>
  BODIES[surface](declaration).describe(declaration.meaning)

const nameOf = ({ code }: RefusalDeclaration, surface: Surface): string =>
  `${pascalCase(code.replace(/_error$/, ''))}${SURFACE_NAMES[surface]}Error`

/** Returns a reference to the body of one refusal. */
const errorSchema = (components: Components, declaration: RefusalDeclaration, surface: Surface): JsonObject =>
  components.keep(nameOf(declaration, surface), components.write(bodyOf(declaration, surface), 'output'))

/** A refusal, and the shape in which it is sent. */
export interface SentRefusal {
  readonly declaration: RefusalDeclaration
  readonly surface: Surface
}

/** Surfaces whose error types are shared by several refusals. */
const SHARES_TYPES: ReadonlySet<Surface> = new Set(['openai', 'anthropic'])

/** The body of an answer that may be one of several refusals; `error` says which. */
export function errorBody(components: Components, sent: readonly SentRefusal[]): JsonObject {
  const schemas = sent.map(({ declaration, surface }) => errorSchema(components, declaration, surface))
  if (schemas.length === 1 && schemas[0]) return schemas[0]
  return sent.every(({ surface }) => SHARES_TYPES.has(surface)) ? { anyOf: schemas } : { oneOf: schemas }
}

import { z } from 'zod'
import type { RefusalDeclaration, Surface } from '../refusal.ts'
import { type Components, pascalCase } from './components.ts'
import type { JsonObject } from './json-schema.ts'

/** The body of one refusal: `{error, message, field?}`, or on OAuth routes `{error, error_description}` (RFC 6749 §5.2). */
const bodyOf = ({ code, meaning, details }: RefusalDeclaration, surface: Surface) =>
  (surface === 'oauth'
    ? z.object({ error: z.literal(code), error_description: z.string(), ...details })
    : z.object({ error: z.literal(code), message: z.string(), field: z.string().optional(), ...details })
  ).describe(meaning)

const nameOf = ({ code }: RefusalDeclaration, surface: Surface): string =>
  `${pascalCase(code.replace(/_error$/, ''))}${surface === 'oauth' ? 'OAuth' : ''}Error`

/** A reference to the body of one refusal. */
const errorSchema = (components: Components, declaration: RefusalDeclaration, surface: Surface): JsonObject =>
  components.keep(nameOf(declaration, surface), components.write(bodyOf(declaration, surface), 'output'))

/** A refusal in the shape in which it is sent. */
export interface SentRefusal {
  readonly declaration: RefusalDeclaration
  readonly surface: Surface
}

/** The body of an answer that is one of several refusals; `error` says which. */
export function errorBody(components: Components, sent: readonly SentRefusal[]): JsonObject {
  const schemas = sent.map(({ declaration, surface }) => errorSchema(components, declaration, surface))
  return schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas }
}

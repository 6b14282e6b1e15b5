import type { z } from 'zod'
import type { Operation, Route } from '../operation.ts'

/** Input members that the gateway fills in and no client sends. */
type OfTheEdge =
  | 'requester'
  | 'registration_access_token'
  | 'replacedSession'
  | 'routerKey'
  | 'signInWithX'
  | 'ifMatch'
  | 'ifNoneMatch'

/** One call of an operation: its input, and what a handler answers. */
interface Example<Op extends Operation> {
  readonly input: Omit<z.input<Op['input']>, OfTheEdge>
  readonly output: Op extends { readonly http: { readonly answer: infer Answer extends z.ZodType } }
    ? z.output<Answer>
    : z.output<Op['output']>
}

/** An example for every operation of a service that is served over HTTP. */
export type ExamplesOf<Service> = {
  readonly [Name in keyof Service as Service[Name] extends Route ? Name : never]: Service[Name] extends Route
    ? Example<Service[Name]>
    : never
}

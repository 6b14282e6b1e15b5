import type { z } from 'zod'
import type { Operation, Route } from '../operation.ts'

/** Members of an input that the gateway fills in: no client gives them. */
type OfTheEdge =
  | 'requester'
  | 'registration_access_token'
  | 'replacedSession'
  | 'routerKey'
  | 'signInWithX'
  | 'ifMatch'
  | 'ifNoneMatch'

/** One call of an operation: what is asked, and what a handler answers. */
interface Example<Op extends Operation> {
  readonly input: Omit<z.input<Op['input']>, OfTheEdge>
  readonly output: Op extends { readonly http: { readonly answer: infer Answer extends z.ZodType } }
    ? z.output<Answer>
    : z.output<Op['output']>
}

/** An example for every operation of a service that has an HTTP face. */
export type ExamplesOf<Service> = {
  readonly [Name in keyof Service as Service[Name] extends Route ? Name : never]: Service[Name] extends Route
    ? Example<Service[Name]>
    : never
}

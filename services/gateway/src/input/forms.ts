import type { FastifyInstance } from 'fastify'
import { Refused } from '../answers/errors.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** Lets the routes of this scope take forms in addition to JSON. */
export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, membersOf(new URLSearchParams(body.toString())))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The only parameter that may be repeated (RFC 8707 §2). */
const REPEATABLE = 'resource'

/**
 * A form as input members. RFC 6749 §3.2: a parameter without a value counts as absent, and none may be repeated, except
 * for one, of which several different values are a list.
 * @throws Refused invalid_request naming the parameter
 */
function membersOf(form: URLSearchParams): object {
  const members = new Map<string, string | string[]>()
  for (const [name, value] of form) {
    if (name === REPEATABLE) continue
    if (members.has(name)) {
      const field = name.slice(0, 64)
      throw new Refused({ refusal: 'invalid_request', field, message: `${field}: is given more than once` })
    }
    members.set(name, value)
  }
  const [first, ...more] = new Set(form.getAll(REPEATABLE).filter((value) => value !== ''))
  if (first !== undefined) members.set(REPEATABLE, more.length > 0 ? [first, ...more] : first)
  return Object.fromEntries([...members].filter(([, value]) => value !== ''))
}

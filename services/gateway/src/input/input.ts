import { ANTHROPIC_HEADERS, hasBody, IN_HEADERS, PRECONDITIONS } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Refused } from '../answers/errors.ts'
import type { Route } from '../context.ts'
import { bearerOf, LONGEST_CREDENTIAL } from '../credentials/caller-of.ts'
import { clientMembers } from '../credentials/client-credentials.ts'
import { sessionCookie } from '../credentials/session-cookie.ts'
import { requesterOf } from './requester.ts'
import { type Issue, unfitJson } from './unfit-json.ts'

const MOST_ISSUES = 10
/** Members of a body, which is copied several times. */
const MOST_MEMBERS = 1_000
/** The longest reported path, which consists of member names chosen by the client. */
const LONGEST_FIELD = 256
const REPORTED = { reportInput: true }

/**
 * Builds the operation's input from path, query and body, and what the edge adds, and parses it by the operation's
 * schema; this file is the only place where input is parsed.
 * @throws Refused invalid_request, naming the field and the reason
 */
export function readInput(request: FastifyRequest, route: Route): unknown {
  const inPath = request.params as object
  const rest = hasBody(route.http) ? bodyOf(request) : (request.query as object)
  refuseUnknownQuery(request, route)
  refuseGivenTwice(rest, inPath)
  const given: Record<string, unknown> = { ...rest, ...inPath }
  addMembersOfEdge(given, request, route, rest)
  return parsed(route, given, !hasBody(route.http))
}

/**
 * Parses the arguments of a tool by the schema of its operation.
 * @throws Refused invalid_request, naming the field and the reason
 */
export function readArguments(given: object, request: FastifyRequest, route: Route): unknown {
  const members: Record<string, unknown> = { ...given }
  addMembersOfEdge(members, request, route, {})
  return parsed(route, members, false)
}

function parsed(route: Route, given: object, isQuery: boolean): unknown {
  const { success, data, error } = route.input.safeParse(given, REPORTED)
  if (!success) throw unfit(error.issues.flatMap((issue) => explain(issue, isQuery)).slice(0, MOST_ISSUES))
  const issue = unfitJson(data)
  if (issue) throw unfit([{ ...issue, field: issue.field || 'body' }])
  return data
}

function unfit(found: readonly Issue[]): Refused {
  const issues = found.map(({ field, reason }) => ({ field: field.slice(0, LONGEST_FIELD), reason }))
  const { field, reason } = issues[0] ?? { field: 'body', reason: 'is not valid' }
  return new Refused({
    refusal: 'invalid_request',
    field,
    message: `${field}: ${reason}`,
    details: { issues },
  })
}

/** Adds the members that the gateway provides, overriding anything that the client sent under their names. */
function addMembersOfEdge(
  given: Record<string, unknown>,
  request: FastifyRequest,
  { http }: Route,
  body: object,
): void {
  if (http.requester) given.requester = requesterOf(request)
  if (http.sessionCookie === 'sets') given.replacedSession = replacedSession(request)
  if (http.auth === 'router_key') given.routerKey = request.state.routerKey
  if (http.signsIn) given.signInWithX = request.headers['sign-in-with-x']
  if (http.registrationToken) given.registration_access_token = bearerOf(request)
  if (http.entityTag && hasBody(http)) Object.assign(given, inHeaders(request, PRECONDITIONS))
  if (http.anthropicHeaders) Object.assign(given, inHeaders(request, ANTHROPIC_HEADERS))
  if (http.auth === 'client') Object.assign(given, clientMembers(request, body))
}

/** The token of the session that a sign-in replaces. */
function replacedSession(request: FastifyRequest): string | undefined {
  const token = sessionCookie.read(request)
  return token !== undefined && token.length <= LONGEST_CREDENTIAL ? token : undefined
}

/** Members taken from headers; a missing one is undefined, so that it cannot come from the body. */
const inHeaders = ({ headers }: FastifyRequest, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, headers[name.toLowerCase()]]))

function bodyOf(request: FastifyRequest): object {
  const { body } = request
  if (body === undefined || body === null) return {}
  if (typeof body === 'object' && !Array.isArray(body)) {
    if (Object.keys(body).length <= MOST_MEMBERS) return body
    throw unfit([{ field: 'body', reason: `has more than ${MOST_MEMBERS} members` }])
  }
  throw new Refused({ refusal: 'invalid_request', field: 'body', message: 'body: must be a JSON object' })
}

/** A route that reads its body takes nothing from the query, so a value put there by mistake is not ignored. */
function refuseUnknownQuery(request: FastifyRequest, route: Route): void {
  const [field] = hasBody(route.http) && !route.http.ignoresQuery ? Object.keys(request.query as object) : []
  if (field !== undefined) throw misplaced(field, 'is not a query parameter of this route')
}

/** A member in the path must not be given a second time, where it could have another value. */
function refuseGivenTwice(rest: object, inPath: object): void {
  const field = Object.keys(rest).find((name) => Object.hasOwn(inPath, name))
  if (field !== undefined) throw misplaced(field, 'is given in the path')
}

const misplaced = (field: string, reason: string): Refused => unfit([{ field, reason }])

/** The client's name for a member. */
const nameOf = (path: string): string => IN_HEADERS.get(path)?.toLowerCase() ?? path

function explain(issue: z.core.$ZodIssue, isQuery: boolean): Issue[] {
  const path = nameOf(issue.path.join('.'))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, reason: 'is not a known field' }))
  }
  return [{ field: path || 'body', reason: reasonOf(issue, isQuery) }]
}

function reasonOf(issue: z.core.$ZodIssue, isQuery: boolean): string {
  const { code, input, message } = issue
  const isOfWrongType = code === 'invalid_type' || code === 'invalid_value'
  if (isOfWrongType && input === undefined) return 'is required'
  if (isOfWrongType && isQuery && Array.isArray(input)) return 'is given more than once'
  // A message of the schema's own is more precise.
  if (code !== 'invalid_type' || !message.startsWith('Invalid input')) return message
  return `must be ${TYPES[issue.expected] ?? issue.expected}, and is ${typeOf(input)}`
}

/** JSON's types in plain words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  return TYPES[Array.isArray(value) ? 'array' : typeof value] ?? 'something else'
}

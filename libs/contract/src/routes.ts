import { hasBody, isShared } from './http-parts.ts'
import type { Operation, Route } from './operation.ts'
import type { RefusalDeclaration } from './refusal.ts'
import { edge } from './refusals.ts'
import { operations } from './registry.ts'

const isRoute = (op: Operation): op is Route => op.http !== undefined

/** The routes of the contract: every operation served over HTTP, in the contract's order. */
export const routes = (): Route[] => [...operations.values()].filter(isRoute)

/** The refusals a route may return: its operation's, and those that the edge sends instead. */
export function refusalsOf(op: Route): RefusalDeclaration[] {
  const fromEdge = [
    edge.invalidRequest,
    edge.rateLimited,
    ...(['none', 'optional', 'client', 'owner'].includes(op.http.auth) ? [] : [edge.unauthorized]),
    ...(op.http.scope ? [edge.insufficientScope] : []),
    ...(isShared(op.http) ? [edge.notAcceptable] : []),
    ...(['session', 'owner'].includes(op.http.auth) && op.http.method !== 'GET' ? [edge.originMismatch] : []),
    ...(op.http.changes ? [edge.unsolicited] : []),
    ...(hasBody(op.http) ? [edge.payloadTooLarge, edge.unsupportedMediaType] : []),
    edge.requestTimeout,
    edge.headersTooLarge,
    edge.internal,
    edge.unavailable,
    edge.deadline,
  ]
  const byCode = new Map([...fromEdge, ...op.errors].map((declaration) => [declaration.code, declaration]))
  return [...byCode.values()].sort((a, b) => a.status - b.status)
}

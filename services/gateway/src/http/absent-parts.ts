import { type LimitClass, routes } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { GatewayContext } from '../context.ts'
import { limitAddress } from '../hooks/rate-limit.ts'

/** A part of the service that this version names but does not run, and the paths where its clients look for it. */
interface AbsentPart {
  readonly part: string
  /** The alternative to it. */
  readonly instead: string
  readonly paths: readonly string[]
}

/** Per the specification, the API catalog and scopes name these parts, so each explains itself. */
const PARTS: readonly AbsentPart[] = [
  {
    part: 'agent-to-agent server',
    instead: 'The operations that it would offer are available as HTTP routes: /openapi.json.',
    paths: ['/a2a'],
  },
]

/** The parts that are not running: those whose paths no operation serves. */
export function notRunning(): readonly AbsentPart[] {
  const declared = new Set<string>(routes().map(({ http }) => http.path))
  return PARTS.filter(({ paths }) => paths.some((path) => !declared.has(path)))
}

/** Paths that only answer that their part is not running, and so are not routes of the interface. */
export const ABSENT_PATHS: readonly string[] = PARTS.flatMap(({ paths }) => paths)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const LIMIT: LimitClass = 'read'
/** It takes another version of the service, so there is no point in retrying soon. */
const LOOK_AGAIN_S = 3_600

/** Answers for absent parts: 503 with an explanation, before asking for a credential, which would not help. */
export function addAbsentParts(app: FastifyInstance, ctx: GatewayContext): void {
  const declared = new Set(routes().map(({ http }) => http.path))
  for (const { part, instead, paths } of PARTS) {
    for (const path of paths) {
      if (declared.has(path as `/${string}`)) continue
      app.route({
        method: [...METHODS],
        url: path,
        config: { absentPart: true },
        onRequest: async (request, reply) => {
          await limitAddress(LIMIT, request, reply, ctx)
          throw new Refused({
            refusal: 'part_not_running',
            message: `This instance runs no ${part}. ${instead}`,
            details: { part },
            retryAfterSeconds: LOOK_AGAIN_S,
          })
        },
        handler: () => undefined,
      })
    }
  }
}

import { type LimitClass, routes } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { GatewayContext } from '../context.ts'
import { limitAddress } from '../hooks/rate-limit.ts'

/** A part of the service that this version names and does not run, and the paths at which its clients look for it. */
interface AbsentPart {
  readonly part: string
  /** What can be done without it. */
  readonly instead: string
  readonly paths: readonly string[]
}

/** The API catalog, the listings' invoke links and the scopes name these, as the specification has it; so each says what it is. */
const PARTS: readonly AbsentPart[] = [
  {
    part: 'hosted MCP server',
    instead: 'The operations that it would offer are routes of their own: /openapi.json.',
    paths: ['/mcp', '/mcp/health'],
  },
  {
    part: 'agent-to-agent server',
    instead: 'The operations that it would offer are routes of their own: /openapi.json.',
    paths: ['/a2a'],
  },
  {
    part: 'invoke page',
    instead: 'Call the listing’s own URL and pay what its 402 asks: execution.url in the directory.',
    paths: ['/call/invoke'],
  },
]

/** The parts that do not run: those whose paths no operation serves. */
export function notRunning(): readonly AbsentPart[] {
  const declared = new Set<string>(routes().map(({ http }) => http.path))
  return PARTS.filter(({ paths }) => paths.some((path) => !declared.has(path)))
}

/** What answers only that its part does not run, and so is no route of the interface. */
export const ABSENT_PATHS: readonly string[] = PARTS.flatMap(({ paths }) => paths)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const LIMIT: LimitClass = 'read'
/** It takes another version of the service, not a little patience. */
const LOOK_AGAIN_S = 3_600

/** Answers for parts that are not there: 503 in words, before any credential is asked for, which would change nothing. */
export function addAbsentParts(app: FastifyInstance, ctx: GatewayContext): void {
  const declared = new Set(routes().map(({ http }) => http.path))
  for (const { part, instead, paths } of PARTS) {
    for (const path of paths) {
      if (declared.has(path as `/${string}`)) continue
      app.route({
        method: [...METHODS],
        url: path,
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

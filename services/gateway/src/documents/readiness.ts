import {
  agents,
  anonymous,
  catalog,
  listings,
  livenessProber,
  type Operation,
  oauth,
  router,
  routes,
  type TaskReadiness,
  x402Facilitator,
} from '@callboard/contract'
import { isoTime, isRefusal, SECOND_MS } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { refusalOf } from '../answers/errors.ts'
import type { GatewayContext } from '../context.ts'
import { KeptBody } from '../shared-reads/representations.ts'
import { sendShared } from '../shared-reads/send-shared.ts'

const PATH = '/api/tasks/readiness'
/** Each service is asked at most once in this time, however many clients ask. */
const KEPT_MS = 5 * SECOND_MS
const PATIENCE_MS = 2 * SECOND_MS

/** A harmless operation of each service, reading its store if anonymous callers may; a refusal is an answer. */
const ASKED: readonly { readonly op: Operation; readonly input: unknown }[] = [
  { op: catalog.entry, input: { serviceId: 'readiness' } },
  { op: listings.resync, input: { slug: 'mine' } },
  { op: oauth.introspect, input: { credential: 'readiness', kind: 'bearer' } },
  { op: agents.self, input: {} },
  { op: router.receiptKeys, input: {} },
  { op: x402Facilitator.supported, input: {} },
  { op: livenessProber.keyDirectory, input: {} },
]

/** Reports which services of this instance work now, by asking each over the bus. */
export function addReadiness(app: FastifyInstance, ctx: GatewayContext): void {
  let kept: { readonly until: number; readonly body: Promise<KeptBody> } | undefined
  app.get(PATH, async (request, reply) => {
    if (!kept || kept.until < performance.now()) {
      kept = { until: performance.now() + KEPT_MS, body: readiness(ctx, request.id).then(encoded) }
    }
    const body = await kept.body
    reply.type('application/json; charset=utf-8').header('cache-control', `public, max-age=${KEPT_MS / SECOND_MS}`)
    return sendShared(request, reply, body)
  })
}

const encoded = (found: TaskReadiness): KeptBody => new KeptBody(Buffer.from(JSON.stringify(found)))

async function readiness(ctx: GatewayContext, requestId: string): Promise<TaskReadiness> {
  const [services, networks] = await Promise.all([
    Promise.all(ASKED.map((asked) => stateOf(ctx, asked, requestId))),
    networksOf(ctx, requestId),
  ])
  const ready = new Set(services.flatMap((one) => (one.ready ? one.service : [])))
  const operations = routes().map(({ id, http: { method, path, auth } }) => {
    return { id, method, path, auth, ready: ready.has(id.slice(0, id.indexOf('.'))) }
  })
  const isWhole = operations.every((one) => one.ready) && networks?.every(({ canSettle }) => canSettle) === true
  return {
    status: ready.size === 0 ? 'unavailable' : isWhole ? 'ready' : 'degraded',
    checkedAt: isoTime(ctx.clock.now()),
    services,
    operations,
    networks,
    notRunning: [],
  }
}

async function stateOf(ctx: GatewayContext, { op, input }: (typeof ASKED)[number], requestId: string) {
  const service = op.id.slice(0, op.id.indexOf('.'))
  try {
    const answer = await ctx.bus.call(op, input as never, { caller: anonymous, requestId, timeoutMs: PATIENCE_MS })
    const isAway = isRefusal(answer) && answer.refusal === 'temporarily_unavailable'
    return {
      service,
      ready: !isAway,
      reason: isAway ? (answer.message ?? 'A part of this service is unavailable.') : null,
    }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) ctx.log.warn({ err: error, operation: op.id }, 'a service failed when it was asked how it is')
    return { service, ready: false, reason: refusal?.message ?? 'The service failed when it was asked.' }
  }
}

async function networksOf(ctx: GatewayContext, requestId: string): Promise<TaskReadiness['networks']> {
  const meta = { caller: anonymous, requestId, timeoutMs: PATIENCE_MS }
  try {
    const answer = await ctx.bus.call(x402Facilitator.health, {}, meta)
    if (!isRefusal(answer)) return answer.networks
    return (answer.details?.networks as TaskReadiness['networks'] | undefined) ?? null
  } catch {
    return null
  }
}

import { randomUUID } from 'node:crypto'
import { routes } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { addA2a } from './a2a/a2a.ts'
import { sendParts } from './answers/answer-parts.ts'
import { isTooLarge } from './answers/errors.ts'
import { hasHeadParts, presentEncoded, presentError, presentRefusal, presentResult } from './answers/present.ts'
import type { GatewayContext, Route } from './context.ts'
import { isOwners } from './credentials/session-cookie.ts'
import { renewSessions } from './credentials/session-renewal.ts'
import { addLlms } from './documents/llms.ts'
import { addOpenapi } from './documents/openapi.ts'
import { addReadiness } from './documents/readiness.ts'
import { addWellKnown } from './documents/well-known.ts'
import { stepsOf } from './hooks/hooks.ts'
import { bindPayment, variesByPayment } from './hooks/payment.ts'
import { limitByInput } from './hooks/rate-limit.ts'
import { corsFor } from './http/cors.ts'
import { deprecate } from './http/deprecated.ts'
import { ignoreExpectations, ignoreTypeOfNothing, originForm, requireHost } from './http/odd-requests.ts'
import { ServedRoutes } from './http/served-routes.ts'
import { refuseHead, refuseTunnels } from './http/too-large-head.ts'
import { trustOf } from './http/trusted-proxies.ts'
import { closeUnread } from './http/unread-answers.ts'
import { takeUnserved } from './http/unserved.ts'
import { takeForms } from './input/forms.ts'
import { readInput } from './input/input.ts'
import { takeJson } from './input/json-body.ts'
import { bodyOf } from './input/large-bodies.ts'
import { addMcp } from './mcp/mcp.ts'
import { addOwnerPages } from './pages/owner-pages.ts'
import { API_CATALOG_LINK } from './pages/paths.ts'
import { addReference } from './pages/reference/reference.ts'
import { addFavicon } from './pages/shell/favicon.ts'
import { prepareSharedReads } from './shared-reads/send-shared.ts'
import { newState } from './state.ts'
import { type Door, lineOf, markAnswer, observe } from './telemetry/observe.ts'
import { RequestLog } from './telemetry/request-log.ts'

/** The largest body of an OAuth route: a signed message and an agent's names are far smaller. */
const MAX_OAUTH_BODY_BYTES = 16 * 1024

/** Builds the HTTP interface of the contract: one fastify route per operation and alias. */
export async function buildServer(ctx: GatewayContext, door: Door): Promise<FastifyInstance> {
  const app = newServer(ctx, door)
  const { origin, protocol } = new URL(ctx.config.BASE_URL)
  app.decorate('publicOrigin', origin)
  app.decorate('isSecureOrigin', protocol === 'https:')
  app.decorateRequest('state')
  prepareSharedReads(app)
  const served = new ServedRoutes()
  await app.register(cors, corsFor(served))
  served.watch(app)
  takeJson(app)
  observe(app, ctx, door)
  app.setErrorHandler((error, request, reply) => {
    // Closing with unread bytes on the way would reset the connection before its client reads the answer (RFC 9112
    // §9.6): Node reads the rest, for as long as requestTimeout allows.
    if (isTooLarge(error)) reply.removeHeader('connection')
    return presentError(request, reply, error)
  })
  app.addHook('onRequest', requireHost)
  app.addHook('onRequest', ignoreTypeOfNothing)
  takeUnserved(app, served)
  ignoreExpectations(app.server)
  refuseTunnels(app.server, ctx.log)
  closeUnread(app.server)
  const { owners = [], forms = [], others = [] } = Object.groupBy(routes(), scopeOf)
  for (const route of others) addRoutes(app, ctx, route)
  await app.register(async (scope) => {
    takeForms(scope)
    for (const route of forms) addRoutes(scope, ctx, route)
  })
  // Cookies are only read and written in this scope.
  await app.register(async (scope) => {
    await scope.register(cookie)
    renewSessions(scope, ctx)
    for (const route of owners) addRoutes(scope, ctx, route)
    await addOwnerPages(scope, ctx)
  })
  addWellKnown(app)
  addMcp(app, ctx)
  addA2a(app, ctx)
  addFavicon(app)
  addReference(app)
  addLlms(app)
  addReadiness(app, ctx)
  addOpenapi(app, ctx)
  return app
}

/** A server without routes: how it reads connections and heads, and what it answers before any hook runs. */
function newServer(ctx: GatewayContext, door: Door): FastifyInstance {
  const { config } = ctx
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    childLoggerFactory: (logger, bindings) => new RequestLog(logger, bindings),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trustOf(config.TRUST_PROXY),
    bodyLimit: config.MAX_BODY_BYTES,
    // Node itself would refuse a request without Host with an empty answer; `requireHost` explains it.
    http: { maxHeaderSize: config.MAX_HEADER_BYTES, requireHostHeader: false },
    requestTimeout: 30_000,
    // Requests that still arrive on an open connection are served; only the connection ends.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    clientErrorHandler: refuseHead(ctx.log),
    rewriteUrl: ({ url = '/', method }) => originForm(url, method),
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      // The router refused it before any hook ran.
      request.state = newState()
      markAnswer(app, request as FastifyRequest, reply as FastifyReply, door)
      presentError(request as FastifyRequest, reply as FastifyReply, error)
      request.log.info(lineOf(request as FastifyRequest, reply as FastifyReply), 'answered')
    },
  }) as unknown as FastifyInstance
  return app
}

/** A HEAD must change nothing (RFC 9110 §9.2.1). */
const hasHead = ({ method, changes }: Route['http']): boolean => method === 'GET' && !changes

const scopeOf = (route: Route) => (isOwners(route) ? 'owners' : route.http.forms ? 'forms' : 'others')

/** Serves an operation under its path and its deprecated ones. */
function addRoutes(app: FastifyInstance, ctx: GatewayContext, route: Route): void {
  const { path, aliases = [], method } = route.http
  const steps = stepsOf(route)
  for (const url of [path, ...aliases]) {
    const isAlias = url !== path
    app.route({
      method,
      url,
      exposeHeadRoute: hasHead(route.http),
      config: { route, ...(isAlias ? { alias: url } : {}) },
      bodyLimit: bodyLimitOf(route, ctx),
      ...(route.maxRequestBytes === undefined
        ? {}
        : { preParsing: async (request, reply, payload) => bodyOf(request, reply, { payload, route, ctx }) }),
      onRequest: (request, reply) => {
        if (route.http.linksCatalog) reply.header('link', API_CATALOG_LINK)
        if (route.http.paid) variesByPayment(reply)
        if (isAlias) deprecate(reply, route)
        return steps(request, reply, ctx)
      },
      handler: (request, reply) => callOperation(request, reply, route, ctx),
    })
  }
}

function bodyLimitOf({ maxRequestBytes, http }: Route, { config }: GatewayContext): number {
  if (maxRequestBytes !== undefined) return maxRequestBytes
  return http.surface === 'oauth' ? Math.min(MAX_OAUTH_BODY_BYTES, config.MAX_BODY_BYTES) : config.MAX_BODY_BYTES
}

async function callOperation(request: FastifyRequest, reply: FastifyReply, route: Route, ctx: GatewayContext) {
  const input = readInput(request, route)
  if (route.http.alsoLimit) await limitByInput(input)(request, reply, route, ctx)
  bindPayment(request)
  const { caller, payment } = request.state
  const meta = { caller, payment, requestId: request.id, timeoutMs: route.timeoutMs }
  if (route.stream) return sendParts(request, reply, { route, input, meta }, ctx)
  if (hasHeadParts(route)) {
    const result = await ctx.bus.call(route, input, meta)
    return isRefusal(result) ? presentRefusal(request, reply, result) : presentResult(request, reply, route, result)
  }
  const answer = await ctx.bus.callEncoded(route, input, meta)
  return isRefusal(answer) ? presentRefusal(request, reply, answer) : presentEncoded(request, reply, route, answer)
}

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
import { corsFor } from './cors.ts'
import { isTooLarge, Refused } from './errors.ts'
import { takeForms } from './forms.ts'
import { hooksOf } from './hooks.ts'
import { readInput } from './input.ts'
import type { GatewayKit, Route } from './kit.ts'
import { type Door, observe } from './observe.ts'
import { addOwnerPages } from './pages/owner-pages.ts'
import { API_CATALOG_LINK, addPages } from './pages.ts'
import { bindPayment } from './payment.ts'
import { hasHeadParts, presentEncoded, presentError, presentRefusal, presentResult } from './present.ts'
import { RequestLog } from './request-log.ts'
import { isOwners } from './session-cookie.ts'
import { newState } from './state.ts'
import { refuseHead } from './too-large-head.ts'
import { watchMethods } from './unknown-route.ts'
import { addWellKnown } from './well-known.ts'

/** The largest body of an OAuth route: a signed message and an agent's names are far smaller. */
const MAX_OAUTH_BODY_BYTES = 16 * 1024

/** The HTTP face of the contract: one fastify route per operation and alias, made by looping over the contract. */
export async function buildServer(kit: GatewayKit, door: Door): Promise<FastifyInstance> {
  const { config } = kit
  const app = fastify({
    loggerInstance: kit.log as FastifyBaseLogger,
    childLoggerFactory: (logger, bindings) => new RequestLog(logger, bindings),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: config.TRUST_PROXY,
    bodyLimit: config.MAX_BODY_BYTES,
    http: { maxHeaderSize: config.MAX_HEADER_BYTES },
    requestTimeout: 30_000,
    // What still arrives on an open connection is served; only the connection ends.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    clientErrorHandler: refuseHead,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      request.state = newState()
      presentError(request as FastifyRequest, reply as FastifyReply, error)
    },
  }) as unknown as FastifyInstance
  const { origin, protocol } = new URL(config.BASE_URL)
  app.decorate('publicOrigin', origin)
  app.decorate('isSecureOrigin', protocol === 'https:')
  app.decorateRequest('state')
  await app.register(cors, corsFor)
  const methodsAt = watchMethods(app)
  keepRawJson(app)
  observe(app, kit, door)
  app.setErrorHandler((error, request, reply) => {
    // Closing beside bytes still on their way would reset the connection before its client reads the answer
    // (RFC 9112 §9.6): Node reads past what is left, for as long as requestTimeout lets it.
    if (isTooLarge(error)) reply.removeHeader('connection')
    return presentError(request, reply, error)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(request.url)
    if (allowed.length === 0) return presentRefusal(request, reply, { refusal: 'not_found' })
    reply.header('allow', allowed.join(', '))
    return presentRefusal(request, reply, { refusal: 'method_not_allowed' })
  })
  const { owners = [], forms = [], others = [] } = Object.groupBy(routes(), scopeOf)
  for (const route of others) addRoutes(app, kit, route)
  await app.register(async (scope) => {
    takeForms(scope)
    for (const route of forms) addRoutes(scope, kit, route)
  })
  // Cookies are read and written there alone.
  await app.register(async (scope) => {
    await scope.register(cookie)
    for (const route of owners) addRoutes(scope, kit, route)
    await addOwnerPages(scope, kit)
  })
  addWellKnown(app)
  addPages(app, config.BASE_URL)
  return app
}

/** A HEAD must change nothing (RFC 9110 §9.2.1). */
const hasHead = ({ method, changes }: Route['http']): boolean => method === 'GET' && !changes

const scopeOf = (route: Route) => (isOwners(route) ? 'owners' : route.http.forms ? 'forms' : 'others')

function addRoutes(app: FastifyInstance, kit: GatewayKit, route: Route): void {
  addRoute(app, kit, route, route.http.path)
  for (const alias of route.http.aliases ?? []) addRoute(app, kit, route, alias, alias)
}

function addRoute(app: FastifyInstance, kit: GatewayKit, route: Route, path: string, alias?: string): void {
  const hooks = hooksOf(route)
  app.route({
    method: route.http.method,
    url: path,
    exposeHeadRoute: hasHead(route.http),
    config: { route, ...(alias ? { alias } : {}) },
    ...(route.http.surface === 'oauth' ? { bodyLimit: Math.min(MAX_OAUTH_BODY_BYTES, kit.config.MAX_BODY_BYTES) } : {}),
    onRequest: async (request, reply) => {
      if (route.http.linksCatalog) reply.header('link', API_CATALOG_LINK)
      if (alias) {
        reply.header('deprecation', 'true')
        const successor = `<${route.http.path}>; rel="successor-version"`
        reply.header('link', route.http.linksCatalog ? `${successor}, ${API_CATALOG_LINK}` : successor)
      }
      for (const hook of hooks) await hook(request, reply, route, kit)
    },
    handler: (request, reply) => callOperation(kit, route, request, reply),
  })
}

async function callOperation(kit: GatewayKit, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const input = readInput(request, route)
  bindPayment(request)
  const { caller, payment } = request.state
  const meta = { caller, payment, requestId: request.id, timeoutMs: route.timeoutMs }
  if (hasHeadParts(route)) {
    const result = await kit.bus.call(route, input, meta)
    if (isRefusal(result)) throw new Refused(result)
    return presentResult(request, reply, route, result)
  }
  const answer = await kit.bus.callEncoded(route, input, meta)
  if (isRefusal(answer)) throw new Refused(answer)
  return presentEncoded(request, reply, route, answer)
}

/** JSON bodies are parsed once, by fastify's own parser, and kept as bytes for what a payment is bound to. */
function keepRawJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.state.rawBody = body as Buffer
    if (body.length === 0) return done(null, undefined)
    parse(request, body.toString(), done)
  })
}

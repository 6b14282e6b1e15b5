import { randomUUID } from 'node:crypto'
import { openapiDocument, routes } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { Histogram } from 'prom-client'
import { corsFor } from './cors.ts'
import { docsPage } from './docs-page.ts'
import { Refused } from './errors.ts'
import { hooksOf } from './hooks.ts'
import { readInput } from './input.ts'
import type { GatewayKit, Route } from './kit.ts'
import { PAGE_POLICY } from './page.ts'
import { bindPayment } from './payment.ts'
import { presentError, presentRefusal, presentResult } from './present.ts'
import { rootPage } from './root-page.ts'
import { newState } from './state.ts'
import { refuseHead } from './too-large-head.ts'
import { methodsAt } from './unknown-route.ts'

export const API_CATALOG_LINK = '</.well-known/api-catalog>; rel="api-catalog"'

/** Whether the server still wants its connections to stay. */
export interface Door {
  readonly draining: boolean
}

/** The HTTP face of the contract: one fastify route per operation and alias, made by looping over the contract. */
export async function buildServer(kit: GatewayKit, door: Door): Promise<FastifyInstance> {
  const { config } = kit
  const app = fastify({
    loggerInstance: kit.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
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
  await app.register(cookie)
  await app.register(cors, corsFor)
  keepRawJson(app)
  observe(app, kit, door)
  app.setErrorHandler((error, request, reply) => presentError(request, reply, error))
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(request.url)
    if (allowed.length === 0) return presentRefusal(request, reply, { refusal: 'not_found' })
    reply.header('allow', allowed.join(', '))
    return presentRefusal(request, reply, { refusal: 'method_not_allowed' })
  })
  for (const route of routes()) {
    addRoute(app, kit, route, route.http.path)
    for (const alias of route.http.aliases ?? []) addRoute(app, kit, route, alias, alias)
  }
  const document = JSON.stringify(openapiDocument({ baseUrl: config.BASE_URL, version: '0.1.0' }))
  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(document),
  )
  for (const [path, html] of [
    ['/', rootPage(config.BASE_URL)],
    ['/docs', docsPage()],
  ] as const) {
    app.get(path, (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('link', API_CATALOG_LINK)
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'public, max-age=300')
        .send(html),
    )
  }
  return app
}

function addRoute(app: FastifyInstance, kit: GatewayKit, route: Route, path: string, alias?: string): void {
  const hooks = hooksOf(route)
  app.route({
    method: route.http.method,
    url: path,
    // A HEAD must not mint a nonce.
    exposeHeadRoute: route.http.method === 'GET' && route.http.limit !== 'nonce',
    config: { route, ...(alias ? { alias } : {}) },
    onRequest: async (request, reply) => {
      if (route.http.linksCatalog) reply.header('link', API_CATALOG_LINK)
      if (alias) {
        reply.header('deprecation', 'true')
        const successor = `<${route.http.path}>; rel="successor-version"`
        reply.header('link', route.http.linksCatalog ? `${successor}, ${API_CATALOG_LINK}` : successor)
      }
      for (const hook of hooks) await hook(request, reply, route, kit)
    },
    handler: (request, reply) => inSpan(request, route, () => callOperation(kit, route, request, reply)),
  })
}

async function callOperation(kit: GatewayKit, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const input = readInput(request, route)
  bindPayment(request)
  const { caller, payment } = request.state
  const meta = { caller, payment, requestId: request.id, timeoutMs: route.timeoutMs }
  const result = await kit.bus.call(route, input, meta)
  if (isRefusal(result)) throw new Refused(result)
  return presentResult(request, reply, route, result)
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

function observe(app: FastifyInstance, kit: GatewayKit, door: Door): void {
  const seconds = new Histogram({
    name: 'callboard_http_request_duration_seconds',
    help: 'Time from request to the end of the answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [kit.metrics.registry],
  })
  app.addHook('onRequest', async (request, reply) => {
    request.state = newState()
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (door.draining) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config?.route?.id ?? 'none'
    seconds.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })
}

const tracer = trace.getTracer('callboard-gateway')

/** One server span per request, named by the route and never by the raw path. */
function inSpan<T>(request: FastifyRequest, route: Route, work: () => Promise<T>): Promise<T> {
  const parent = propagation.extract(context.active(), request.headers)
  const name = `${route.http.method} ${route.http.path}`
  return tracer.startActiveSpan(name, { kind: SpanKind.SERVER }, parent, async (span) => {
    span.setAttribute('callboard.operation', route.id)
    try {
      return await work()
    } finally {
      span.end()
    }
  })
}

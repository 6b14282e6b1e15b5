import { exemplarOf } from '@callboard/runtime'
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.ts'
import { newState } from '../state.ts'

/** Whether the server is draining its connections. */
export interface Door {
  readonly draining: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's trace; absent if another site's preflight was answered before it began. */
    trace: Context | undefined
    /** Whether it was counted and logged. */
    isOver: boolean
  }
}

/** The status that is counted where a connection ends before the answer begins, as nginx does; no client sees it. */
const CUT_OFF = 499

/** A year (RFC 6797). Subdomains are not included, as we cannot speak for them. */
const STRICT_TRANSPORT = 'max-age=31536000'

const tracer = trace.getTracer('callboard-gateway')

/** Sets the headers of every answer. */
export function markAnswer(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, door: Door): void {
  reply.header('x-request-id', request.id)
  // Anthropic's clients read it by this name.
  if (request.routeOptions.config?.route?.http.surface === 'anthropic') reply.header('request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  if (app.isSecureOrigin) reply.header('strict-transport-security', STRICT_TRANSPORT)
  if (door.draining) reply.header('connection', 'close')
}

/** The first and last step of every request: its state, its span, its duration. */
export function observe(app: FastifyInstance, ctx: GatewayContext, door: Door): void {
  const { requestSeconds } = ctx.resources.meters
  app.decorateRequest('trace')
  app.decorateRequest('isOver', false)
  /** Enters the request's trace. Reading a body leaves it, so it is entered twice. */
  const enter = (request: FastifyRequest, goOn: () => void) => context.with(request.trace ?? context.active(), goOn)

  app.addHook('onRequest', (request, reply, goOn) => {
    request.state = newState()
    markAnswer(app, request, reply, door)
    request.trace = begin(request)
    // Fastify reports only answers that were sent whole. Of a request that did not arrive whole there is no answer.
    reply.raw.once('close', () => {
      if (!request.raw.complete) return
      const { raw, elapsedTime } = reply
      over(request, 'cut off', { statusCode: raw.headersSent ? reply.statusCode : CUT_OFF, elapsedTime })
    })
    enter(request, goOn)
  })
  app.addHook('preValidation', (request, _reply, goOn) => enter(request, goOn))
  app.addHook('onResponse', (request, reply, goOn) => {
    over(request, 'answered', reply)
    goOn()
  })

  function over(request: FastifyRequest, said: 'answered' | 'cut off', { statusCode, elapsedTime }: Ended): void {
    if (request.isOver) return
    request.isOver = true
    const span = request.trace && trace.getSpan(request.trace)
    requestSeconds.observe({
      labels: { operation: countedAs(request), status: String(statusCode) },
      value: elapsedTime / 1000,
      exemplarLabels: exemplarOf(span),
    })
    enter(request, () => request.log.info(lineOf(request, { statusCode, elapsedTime }), said))
    if (span) end(span, statusCode)
  }
}

type Ended = Pick<FastifyReply, 'statusCode' | 'elapsedTime'>

/** The log line found by an `X-Request-Id`; it has the route's path, as a raw one can contain a wallet or a secret. */
export const lineOf = (request: FastifyRequest, { statusCode, elapsedTime }: Ended) => ({
  operation: countedAs(request),
  method: request.method,
  route: request.routeOptions.url ?? 'none',
  status: statusCode,
  ms: Math.round(elapsedTime),
})

const operationOf = (request: FastifyRequest) => request.routeOptions.config?.route?.id

/** Under which name a request is counted. */
const countedAs = (request: FastifyRequest): string => operationOf(request) ?? 'none'

/** Starts one server span per request, named after the route: the raw path can contain a wallet or a secret. */
function begin(request: FastifyRequest): Context {
  const { method, protocol } = request
  const route = request.routeOptions.url
  const operation = operationOf(request)
  const attributes = {
    'http.request.method': method,
    'url.scheme': protocol,
    'callboard.request_id': request.id,
    ...(route ? { 'http.route': route } : {}),
    ...(operation ? { 'callboard.operation': operation } : {}),
  }
  const parent = propagation.extract(context.active(), request.headers)
  const name = route ? `${method} ${route}` : method
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  // Without tracing there is no span to continue.
  return isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent
}

/** A refusal is an answer; only a failure of the server is an error of its span. */
function end(span: Span, statusCode: number): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) {
    span.setAttribute('error.type', String(statusCode))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

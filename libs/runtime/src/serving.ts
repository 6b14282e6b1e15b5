import { BusFault, type CallMeta, type IncomingCall } from '@callboard/bus'
import { anonymous, type Operation } from '@callboard/contract'
import { isOutage } from '@callboard/store'
import { isRefusal, SECOND_MS } from '@callboard/values'
import { trace } from '@opentelemetry/api'
import type { Call, ServiceContext } from './context.ts'
import type { ServiceModule } from './service.ts'
import { exemplarOf } from './telemetry/exemplar.ts'
import type { Logger } from './telemetry/log.ts'

type LooseCall = Call<Operation>

/** How a service calls others: only as declared, within the remaining time of its own request. */
export function caller(module: ServiceModule, ctx: ServiceContext, incoming?: IncomingCall): LooseCall {
  const arrivedAt = performance.now()
  return (op, input, options = {}) => {
    if (!module.calls.some(({ id }) => id === op.id))
      throw new Error(`${module.name} does not declare that it calls ${op.id}`)
    const left = incoming ? incoming.timeoutMs - (performance.now() - arrivedAt) : op.timeoutMs
    const meta: CallMeta = {
      caller: incoming?.caller ?? anonymous,
      requestId: incoming?.requestId ?? `${module.name}-${ctx.newId()}`,
      timeoutMs: Math.min(options.timeoutMs ?? op.timeoutMs, left),
      payment: options.payment,
    }
    return ctx.bus.call(op, input, meta, incoming?.signal)
  }
}

/** Serves every operation of a service. @returns a function that takes no new work and waits for what is in flight */
export function serveOperations(module: ServiceModule, ctx: ServiceContext): (deadlineMs: number) => Promise<void> {
  const contextOf = requestContexts(module, ctx)
  const served = Object.entries(module.operations).map(([key, op]) => {
    const handler = module.serves[key]
    if (!handler) throw new Error(`${module.name} has no handler for ${op.id}`)
    const serving: Serving = { ctx, op, handler, contextOf }
    if (op.stream) return ctx.bus.serveStream(op, (input, call) => handle(serving, input, call) as never)
    return ctx.bus.serve(op, (input, call) => handle(serving, input, call) as never)
  })
  return async (deadlineMs) => {
    await Promise.all(served.map((one) => one.stop(deadlineMs)))
  }
}

/** A served operation, with its service. */
interface Serving {
  readonly ctx: ServiceContext
  readonly op: Operation
  readonly handler: (input: never, context: never) => Promise<unknown>
  readonly contextOf: (op: Operation, incoming: IncomingCall) => { readonly log: Logger }
}

/**
 * What a service's handlers receive: the request's own members, on an object whose prototype is the service's context.
 * Copying that for each request would cost more than many handlers do.
 */
function requestContexts(module: ServiceModule, ctx: ServiceContext): Serving['contextOf'] {
  class RequestContext {
    readonly call: LooseCall
    readonly #op: Operation
    readonly #requestId: string
    #log: Logger | undefined

    constructor(op: Operation, incoming: IncomingCall) {
      Object.assign(this, incoming)
      this.call = caller(module, ctx, incoming)
      this.#op = op
      this.#requestId = incoming.requestId
    }

    /** Created on first use: most requests log nothing. */
    get log(): Logger {
      this.#log ??= ctx.log.child({ operation: this.#op.id, request_id: this.#requestId })
      return this.#log
    }
  }
  Object.setPrototypeOf(RequestContext.prototype, ctx)
  return (op, incoming) => new RequestContext(op, incoming)
}

async function handle({ ctx, op, handler, contextOf }: Serving, input: unknown, call: IncomingCall): Promise<unknown> {
  const startedAt = performance.now()
  const context = contextOf(op, call)
  const span = trace.getActiveSpan()
  const ended = (outcome: string) => {
    const value = (performance.now() - startedAt) / SECOND_MS
    ctx.metrics.operationSeconds.observe({
      labels: { operation: op.id, outcome },
      value,
      exemplarLabels: exemplarOf(span),
    })
    span?.setAttribute('callboard.outcome', outcome)
  }
  span?.setAttributes({ 'callboard.operation': op.id, 'callboard.request_id': call.requestId })
  try {
    const result = await handler(input as never, context as never)
    ended(isRefusal(result) ? result.refusal : 'ok')
    return result
  } catch (error) {
    ctx.readiness.failed(error)
    const outcome = isOfCaller(error) ? 'cancelled' : 'fault'
    ended(outcome)
    if (outcome === 'fault') context.log.error({ err: error }, 'the handler failed')
    // The internal error is in the log under the request id; the caller learns only its kind.
    if (error instanceof BusFault) throw error
    throw isOutage(error)
      ? new BusFault('unavailable', op.id, 'a store or a chain is unreachable')
      : new BusFault('remote', op.id, 'the handler failed')
  }
}

/** Whether work ended because its caller left or died: not the handler's fault. */
const isOfCaller = (error: unknown): boolean =>
  error instanceof BusFault && (error.kind === 'cancelled' || error.kind === 'reader_lost')

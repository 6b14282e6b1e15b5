import { tracingChannel } from 'node:diagnostics_channel'
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** A command as ioredis publishes it; the keys and values in `args` are left out, since they may identify people. */
interface RedisCommand {
  readonly command: string
  readonly database: number
  readonly serverAddress: string
  readonly serverPort: number | undefined
  readonly error?: unknown
}

/**
 * Creates spans of Redis commands that belong to a trace, from ioredis's own diagnostics channel: an instrumentation
 * that patches the module does not see it imported as ESM.
 * @returns a function that stops it
 */
export function redisSpans(): () => void {
  const tracer = trace.getTracer('callboard-redis')
  const channel = tracingChannel<unknown, RedisCommand>('ioredis:command')
  const open = new WeakMap<object, Span>()

  function end(command: RedisCommand): void {
    const span = open.get(command)
    if (!span) return
    open.delete(command)
    if ('error' in command) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', command.error instanceof Error ? command.error.name : 'unknown')
    }
    span.end()
  }

  const handlers = {
    start(command: RedisCommand) {
      if (!trace.getSpan(context.active())) return
      const name = command.command.toUpperCase()
      const attributes = {
        'db.system.name': 'redis',
        'db.operation.name': name,
        'db.namespace': String(command.database),
        'server.address': command.serverAddress,
        ...(command.serverPort === undefined ? {} : { 'server.port': command.serverPort }),
      }
      open.set(command, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }))
    },
    // A command that was never sent ends here.
    end: (command: RedisCommand) => void ('error' in command && end(command)),
    asyncStart() {},
    asyncEnd: end,
    error() {},
  }
  channel.subscribe(handlers)
  return () => {
    channel.unsubscribe(handlers)
  }
}

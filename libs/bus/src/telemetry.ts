import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = () => trace.getTracer('callboard-bus')

/** Runs `work` in a client span and gives it the headers that carry the trace on. */
export async function sending<T>(subject: string, work: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(`send ${subject}`, { kind: SpanKind.CLIENT }, async (span) => {
    const headers: Record<string, string> = {}
    propagation.inject(context.active(), headers)
    return finish(span, work(headers))
  })
}

/** Runs `work` in a server span that continues the trace of the headers. */
export async function processing<T>(
  subject: string,
  headers: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(context.active(), headers)
  return tracer().startActiveSpan(`process ${subject}`, { kind: SpanKind.SERVER }, parent, (span) =>
    finish(span, work()),
  )
}

/** The `traceparent` of the active span, for an event that is written now and sent later. */
export function activeTraceparent(): string | undefined {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers.traceparent
}

async function finish<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error instanceof Error) span.recordException(error)
    throw error
  } finally {
    span.end()
  }
}

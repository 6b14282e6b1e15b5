import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { BusFault } from './fault.ts'

const tracer = trace.getTracer('callboard-bus')

type Headers = Readonly<Record<string, string>>

const attributesOf = (subject: string, operation: 'send' | 'process') => ({
  'messaging.destination.name': subject,
  'messaging.operation.type': operation,
})

/** Makes a request in a client span, and adds to its headers what continues the trace. */
export function sending<T>(subject: string, headers: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const options = { kind: SpanKind.CLIENT, attributes: attributesOf(subject, 'send') }
  return tracer.startActiveSpan(`send ${subject}`, options, (span) => {
    propagation.inject(context.active(), headers)
    return finish(span, work())
  })
}

/** Answers a request in a server span that continues the trace of its headers. */
export const processing = <T>(subject: string, headers: Headers, work: () => Promise<T>): Promise<T> =>
  continuing(SpanKind.SERVER, subject, headers, work)

/** Handles an event in a consumer span that continues the trace in which it was written. */
export const consuming = <T>(subject: string, headers: Headers, work: () => Promise<T>): Promise<T> =>
  continuing(SpanKind.CONSUMER, subject, headers, work)

/** Handles a batch of events in a consumer span of its own, linked to the traces in which they were written. */
export function consumingBatch<T>(subject: string, headers: readonly Headers[], work: () => Promise<T>): Promise<T> {
  const links = headers.flatMap((carried) => {
    const written = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, carried))
    return written ? [{ context: written }] : []
  })
  const options = { kind: SpanKind.CONSUMER, attributes: attributesOf(subject, 'process'), links, root: true }
  return tracer.startActiveSpan(`process ${subject}`, options, (span) => finish(span, work()))
}

function continuing<T>(kind: SpanKind, subject: string, headers: Headers, work: () => Promise<T>): Promise<T> {
  const parent = propagation.extract(context.active(), headers)
  const options = { kind, attributes: attributesOf(subject, 'process') }
  return tracer.startActiveSpan(`process ${subject}`, options, parent, (span) => finish(span, work()))
}

/** The `traceparent` of the active span, for an event written now and sent later. */
export function activeTraceparent(): string | undefined {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers.traceparent
}

/** Ends a span with its work. It records only the kind of an error: messages may hold request data, even wallets. */
async function finish<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', kindOf(error))
    throw error
  } finally {
    span.end()
  }
}

const kindOf = (error: unknown): string => {
  if (error instanceof BusFault) return error.kind
  return error instanceof Error ? error.name : 'unknown'
}

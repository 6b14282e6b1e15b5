import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('callboard')

/** Runs work in a span of its own, inside the active one. It records only the kind of an error. */
export const inSpan = <T>(name: string, work: () => Promise<T>, attributes: Attributes = {}): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })

/** Adds attributes that became known during the work to the active span. */
export const markSpan = (attributes: Attributes): void => void trace.getActiveSpan()?.setAttributes(attributes)

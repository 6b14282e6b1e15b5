import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('callboard')

/** Work as a span of its own, inside the one that is open. Of an error the span has only the kind. */
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

/** Notes on the span that is open what it turned out to be about. */
export const markSpan = (attributes: Attributes): void => void trace.getActiveSpan()?.setAttributes(attributes)

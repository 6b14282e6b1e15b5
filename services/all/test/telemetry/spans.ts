import { randomBytes } from 'node:crypto'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { exporter } from './tracing.ts'

/** The trace of one request: started here, continued by each service that honours `traceparent`. */
export class Trace {
  readonly id = randomBytes(16).toString('hex')
  readonly clientSpan = randomBytes(8).toString('hex')
  readonly headers = { traceparent: `00-${this.id}-${this.clientSpan}-01` }

  /** The spans ended so far, in order of their start. */
  get spans(): readonly ReadableSpan[] {
    return exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === this.id)
  }

  /** @throws Error naming the existing spans when there is none of that name */
  named(name: string, below?: ReadableSpan): ReadableSpan {
    const found = this.spans.find((span) => span.name === name && (!below || isBelow(this.spans, span, below)))
    if (!found) throw new Error(`no span ${name} among ${this.spans.map((span) => span.name).join(', ')}`)
    return found
  }

  below = (span: ReadableSpan): ReadableSpan[] => this.spans.filter((one) => isBelow(this.spans, one, span))
}

export const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId

/** Whether a span descends from another one. */
function isBelow(spans: readonly ReadableSpan[], span: ReadableSpan, above: ReadableSpan): boolean {
  const parent = spans.find((one) => one.spanContext().spanId === parentOf(span))
  return parent !== undefined && (parent === above || isBelow(spans, parent, above))
}

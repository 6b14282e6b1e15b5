import { trace } from '@opentelemetry/api'
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** Paths in logged objects that may hold secrets; they are removed, never masked in part. */
const SECRETS = [
  'authorization',
  'cookie',
  'headers.authorization',
  'headers.cookie',
  'headers["payment-signature"]',
  'headers["x-payment"]',
  '*.signature',
  '*.key',
  '*.sessionToken',
  '*.privateKey',
  // An error of Redis holds the command that it answers: to sign in, or with keys that name people.
  'err.command.args',
]

/** JSON lines on stdout, each with its trace. */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, remove: true },
      mixin() {
        const span = trace.getActiveSpan()?.spanContext()
        return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )

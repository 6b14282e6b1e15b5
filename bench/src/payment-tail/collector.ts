import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The parts of a trace that are read here, in milliseconds. */
export interface Span {
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly start: number
  readonly end: number
}

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

interface OtlpRequest {
  readonly resourceSpans?: readonly { readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[] }[]
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly Span[]
  close(): Promise<void>
}

/** Receives spans over HTTP and stores them. @source OTLP/HTTP with JSON, opentelemetry-proto 1.x */
export async function startCollector(): Promise<Collector> {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans = [] } = JSON.parse(await bodyOf(request)) as OtlpRequest
    const all = resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans: some = [] }) => some))
    spans.push(...all.map(readSpan))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000

function readSpan(span: OtlpSpan): Span {
  const statement = span.attributes?.find(({ key }) => key === 'db.query.text' || key === 'db.statement')?.value
  return {
    trace: span.traceId,
    id: span.spanId,
    parent: span.parentSpanId || undefined,
    name: statement?.stringValue ? `SQL ${briefly(statement.stringValue)}` : span.name,
    start: ms(span.startTimeUnixNano),
    end: ms(span.endTimeUnixNano),
  }
}

/** A statement's verb and first table. */
function briefly(statement: string): string {
  const verb = /\b(select|insert|update|delete|begin|commit|rollback|with|lock)\b/i.exec(statement)?.[1] ?? ''
  const table = /\b(?:from|into|update)\s+"?(?:only\s+)?([a-z_]+)/i.exec(statement)?.[1] ?? ''
  return `${verb} ${table}`.trim().toLowerCase()
}

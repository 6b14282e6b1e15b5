import { createServer } from 'node:http'
import { freePort } from '@callboard/embedded'

export interface ExportedSpan {
  readonly traceId: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string }[] }
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[]
  }[]
}

/** Receives traces as a collector does, by OTLP over HTTP in JSON, and stores them. */
export async function openCollector() {
  const exports: Export[] = []
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString()
    if (req.url === '/v1/traces') exports.push(JSON.parse(body) as Export)
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const resources = () => exports.flatMap(({ resourceSpans }) => resourceSpans)
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resourceAttributes: () => resources().flatMap(({ resource }) => resource.attributes.map(({ key }) => key)),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

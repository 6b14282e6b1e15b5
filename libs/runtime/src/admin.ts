import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

export interface AdminSettings {
  readonly port: number
  readonly host: string
  readonly registry: Registry
  /** Why the process should get no traffic now; empty when it should. Asked at each `/readyz`. */
  readonly notReady: () => Promise<readonly string[]>
  /** Brings gauges up to date before `/metrics` is answered. */
  readonly beforeMetrics: () => Promise<void>
}

export interface Admin {
  readonly port: number
  close(): Promise<void>
}

/**
 * The port for those who run the process: `/livez` says that its event loop turns and asks nothing else, so that an
 * outage of Postgres or NATS restarts nobody; `/readyz` says whether it can serve; `/metrics` is for Prometheus.
 */
export async function startAdmin(settings: AdminSettings): Promise<Admin> {
  const server = createServer(async (req, res) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    try {
      if (req.url === '/livez') return answer(200, 'ok\n')
      if (req.url === '/readyz') {
        const reasons = await settings.notReady()
        return reasons.length === 0 ? answer(200, 'ok\n') : answer(503, `${reasons.join('\n')}\n`)
      }
      if (req.url === '/metrics') {
        await settings.beforeMetrics()
        return answer(200, await settings.registry.metrics(), settings.registry.contentType)
      }
      return answer(404, 'There are /livez, /readyz and /metrics.\n')
    } catch (error) {
      return answer(500, `${error instanceof Error ? error.message : String(error)}\n`)
    }
  })
  await listen(server, settings.port, settings.host)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Whoever asks often keeps its connection busy, and one on which nothing was asked counts as busy too.
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

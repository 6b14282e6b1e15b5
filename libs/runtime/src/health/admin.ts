import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { reasonOf } from '../reason-of.ts'
import { exposition } from '../telemetry/open-metrics.ts'
import type { ReadinessReport } from './readiness.ts'

export interface AdminSettings {
  readonly port: number
  readonly host: string
  readonly registry: Registry
  /** Why the process should get no traffic now, and what is wrong while it serves. Called for each `/readyz`. */
  readonly report: () => Promise<ReadinessReport>
  /** Updates gauges before `/metrics` is answered. */
  readonly beforeMetrics: () => Promise<void>
}

export interface Admin {
  readonly port: number
  close(): Promise<void>
}

/**
 * Starts the port for operators: `/livez` says that the event loop turns and checks nothing else, so that an outage of
 * Postgres or NATS restarts no process; `/readyz` says whether it can serve, and what is wrong nevertheless; `/metrics`
 * is for Prometheus.
 */
export async function startAdmin(settings: AdminSettings): Promise<Admin> {
  const server = createServer(async (req, res) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    try {
      if (req.url === '/livez') return answer(200, 'ok\n')
      if (req.url === '/readyz') {
        const { notReady, notes } = await settings.report()
        const said = [...notReady, ...notes.map((note) => `note: ${note}`)]
        return notReady.length === 0
          ? answer(200, `${['ok', ...said].join('\n')}\n`)
          : answer(503, `${said.join('\n')}\n`)
      }
      if (req.url === '/metrics') {
        await settings.beforeMetrics()
        const { type, text } = await exposition(settings.registry, req.headers)
        return answer(200, text, type)
      }
      return answer(404, 'There are /livez, /readyz and /metrics.\n')
    } catch (error) {
      return answer(500, `${reasonOf(error)}\n`)
    }
  })
  await listen(server, settings.port, settings.host)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // A frequently polling client keeps its connection busy, and one that never sent a request counts as busy too.
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

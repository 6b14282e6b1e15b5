import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startPrometheus } from '@callboard/testkit/servers'
import type { Release } from '../release.ts'
import { expositionOf, type Load, NO_LOAD } from './played-load.ts'

/** A release with a played load, and a Prometheus that reads it. */
export interface Measured {
  readonly prometheusUrl: string
  load: Load
  stop(): Promise<void>
}

/** Plays the load of a release from now on, divided among its pods at the time. */
export async function measure(release: Release, folder: string, log: (line: string) => void): Promise<Measured> {
  const played = { load: NO_LOAD }
  const server = createServer((_request, response) => {
    shown(release, played.load).then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const configFile = join(folder, 'prometheus.json')
  writeFileSync(
    configFile,
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [
        {
          job_name: 'played',
          honor_labels: true,
          static_configs: [{ targets: [`127.0.0.1:${(server.address() as AddressInfo).port}`] }],
        },
      ],
    }),
  )
  const prometheus = await startPrometheus({ dataDir: folder, configFile, log }).catch((error: unknown) => {
    server.close()
    throw error
  })
  return Object.assign(played, {
    prometheusUrl: prometheus.url,
    async stop() {
      await prometheus.stop()
      await closed(server)
    },
  })
}

async function shown(release: Release, load: Load): Promise<string> {
  const pods = (await release.pods()).map(({ metadata }) => ({
    name: metadata.name,
    target: metadata.labels['app.kubernetes.io/component'] ?? '',
  }))
  return expositionOf(load, pods, release.namespace)
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

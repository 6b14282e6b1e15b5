import { once } from 'node:events'
import { createServer } from 'node:net'
import { catalog } from '@callboard/catalog'
import { gateway } from '@callboard/gateway'
import { createLogger, startServices } from '@callboard/runtime'
import { NOW } from './listings.ts'

/** The gateway and the catalog in this process, at the synthetic directory's present. */
export async function startRoute(databaseUrl: string) {
  const port = await freePort()
  const startedAt = performance.now()
  const running = await startServices([catalog, gateway], {
    env: {
      DATABASE_URL: databaseUrl,
      BASE_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      LINK_SIGNING_KEY: 'a key of the bench that is long enough',
      RATE_LIMITS: JSON.stringify({ read: { burst: 1_000_000, perMinute: 100_000_000 } }),
    },
    log: createLogger('error'),
    clock: { now: () => NOW },
  })
  const readyMs = performance.now() - startedAt
  return { readyMs, url: `http://127.0.0.1:${port}/api/call/discovery`, stop: () => running.stop() }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

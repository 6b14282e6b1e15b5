import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { catalog } from '@callboard/catalog'
import { gateway } from '@callboard/gateway'
import { createLogger, startServices } from '@callboard/runtime'
import { NOW } from './listings.ts'
import type { Drive, Driven } from './open-loop.ts'
import { ownCpuMs } from './sampling.ts'

/** The gateway and the catalog in this process, at the moment at which the synthetic directory stands. */
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

/** Drives a route from another process. @returns its times, and the CPU of this process per request in milliseconds */
export async function driven(drive: Drive): Promise<Driven & { cpuMs: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'open-loop.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const before = ownCpuMs()
  child.stdin.end(JSON.stringify(drive))
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The driver ended with ${code}`)
  const requests = ((drive.warmUpMs + drive.ms) * drive.perSecond) / 1_000
  return { ...(JSON.parse(Buffer.concat(chunks).toString()) as Driven), cpuMs: (ownCpuMs() - before) / requests }
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

import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from './sampling.ts'

/** What the driver is told, by one JSON on its standard input. */
export interface Drive {
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly warmUpMs: number
  readonly ms: number
}

/** What it answers on its standard output. Times in milliseconds from the moment a request was due. */
export interface Driven {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly answered: number
  readonly failed: number
  /** Answers a second, from the first request that counts to the last answer. */
  readonly answeredPerSecond: number
}

/**
 * Sends requests at their moments whether earlier ones are answered or not. A time is counted from when a request was
 * due, so that a server which stalls is charged for everybody who would have come meanwhile.
 */
async function drive({ urls, perSecond, warmUpMs, ms }: Drive): Promise<Driven> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let failed = 0
  const start = performance.now()
  const total = Math.floor(((warmUpMs + ms) * perSecond) / 1_000)
  const ask = (url: string, dueMs: number) =>
    new Promise<void>((resolve) => {
      const finish = (isGood: boolean) => {
        if (dueMs >= warmUpMs) {
          if (isGood) times.push(performance.now() - start - dueMs)
          else failed += 1
        }
        resolve()
      }
      get(url, { agent }, (response) => {
        response.resume().once('end', () => finish(response.statusCode === 200))
      }).once('error', () => finish(false))
    })
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1)
    for (; sent < due; sent += 1) {
      const asked = ask(urls[sent % urls.length] ?? '', (sent * 1_000) / perSecond).finally(() => open.delete(asked))
      open.add(asked)
    }
    await wait(1)
  }
  await Promise.all(open)
  const countedMs = performance.now() - start - warmUpMs
  agent.destroy()
  times.sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share)) as [number, number, number]
  return { p50, p95, p99, answered: times.length, failed, answeredPerSecond: (times.length * 1_000) / countedMs }
}

if (import.meta.main) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  process.stdout.write(JSON.stringify(await drive(JSON.parse(Buffer.concat(chunks).toString()) as Drive)))
}

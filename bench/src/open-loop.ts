import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isProgram } from '@callboard/runtime/command-line'
import { percentile } from './discovery/sampling.ts'

/** A GET, or a POST if there is a body. */
export interface Asked {
  readonly url: string
  readonly form?: string
}

/** The driver's task, one JSON on its standard input. */
export interface Drive {
  /** Sent one after the other, and again from the first. */
  readonly requests: readonly Asked[]
  /** A successful answer; any 200 when absent. */
  readonly good?: { readonly status: number; readonly text: string }
  readonly perSecond: number
  /** Sent at the same rate, but not counted. */
  readonly warmUpMs: number
  readonly ms: number
  /** A request's CPU is the median of this many equal parts of the counted time; one when absent. */
  readonly parts?: number
}

/** The output on its standard output. Times in milliseconds from when a request was due. */
interface Times {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly answered: number
  readonly failed: number
  /** Answers per second, from the first counted request to the last answer. */
  readonly answeredPerSecond: number
}

export interface Driven extends Times {
  /** The CPU of one request, in milliseconds; the median of the parts. */
  readonly cpuMs: number
}

/**
 * Sends requests when due, whether or not earlier ones were answered. Times count from when a request was due, so that
 * a server that stalls is charged for every request due meanwhile.
 */
async function drive(
  { requests, good = { status: 200, text: '' }, perSecond, warmUpMs, ms, parts = 1 }: Drive,
  onPart: () => void,
): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let failed = 0
  const start = performance.now()
  const total = Math.floor(((warmUpMs + ms) * perSecond) / 1_000)
  const ask = ({ url, form }: Asked, dueMs: number) =>
    new Promise<void>((resolve) => {
      const finish = (isGood: boolean) => {
        if (dueMs >= warmUpMs) {
          if (isGood) times.push(performance.now() - start - dueMs)
          else failed += 1
        }
        resolve()
      }
      const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
      request(url, { agent, method: form === undefined ? 'GET' : 'POST', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.once('end', () => finish(response.statusCode === good.status && text.includes(good.text)))
      })
        .once('error', () => finish(false))
        .end(form)
    })
  const startOf = (part: number) => Math.floor(((warmUpMs + (part * ms) / parts) * perSecond) / 1_000)
  let part = 0
  for (let sent = 0; sent < total; ) {
    if (part < parts && sent >= startOf(part)) {
      part += 1
      onPart()
    }
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1)
    for (; sent < due; sent += 1) {
      const asked = ask(requests[sent % requests.length] ?? { url: '' }, (sent * 1_000) / perSecond).finally(() =>
        open.delete(asked),
      )
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

/**
 * Drives from a separate process, which nothing here slows down.
 * @param spentMs the CPU time so far of the processes under load
 */
export async function driven(drive: Drive, spentMs: () => number): Promise<Driven> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(drive))
  const chunks: Buffer[] = []
  const spent: number[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    spent.push(spentMs())
    chunks.push(chunk)
  })
  const [code] = await once(child, 'close')
  const { parts = 1, ms, perSecond } = drive
  if (code !== 0 || spent.length <= parts) throw new Error(`The driver ended with ${code}`)
  const ofParts = spent.slice(0, parts).map((before, part) => (spent[part + 1] ?? Number.NaN) - before)
  ofParts.sort((a, b) => a - b)
  const cpuMs = (percentile(ofParts, 0.5) * parts * 1_000) / (ms * perSecond)
  return { ...(JSON.parse(Buffer.concat(chunks).toString()) as Times), cpuMs }
}

if (isProgram(import.meta, process.argv)) {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  // A line signals the start of a counted part.
  const times = await drive(JSON.parse(Buffer.concat(chunks).toString()) as Drive, () => process.stdout.write('\n'))
  process.stdout.write(JSON.stringify(times))
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { cpuTimeMs } from '../cpu-time.ts'

const CONNECTIONS = 50
const SECONDS = 4
const TURNS = 3

/** One side of a comparison: its URL, and the processes whose CPU counts. */
export interface Side {
  readonly url: string
  readonly pids: readonly number[]
}

export interface Load {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly p99Ms: number
}

/** Loads both in turns, so that a change in the machine's speed affects both. @throws Error when one refuses */
export async function inTurns<Name extends string>(sides: Readonly<Record<Name, Side>>): Promise<Record<Name, Load>> {
  const names = Object.keys(sides) as Name[]
  const all = new Map<Name, Load[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const name of names) {
      const load = await loaded(sides[name])
      if (turn > 0) all.get(name)?.push(load)
    }
  }
  return Object.fromEntries(names.map((name) => [name, middle(all.get(name) ?? [])])) as Record<Name, Load>
}

async function loaded({ url, pids }: Side): Promise<Load> {
  const spent = () => pids.reduce((sum, pid) => sum + cpuTimeMs(pid) * 1_000, 0)
  const before = spent()
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  const { total } = result.requests
  return { perSecond: total / result.duration, cpuMicros: (spent() - before) / total, p99Ms: result.latency.p99 }
}

const middle = (loads: readonly Load[]): Load => {
  const one = loads.toSorted((a, b) => a.perSecond - b.perSecond)[loads.length >> 1]
  if (!one) throw new Error('Nothing was measured')
  return one
}

/** Starts a process of the peer and waits for its ready message. */
export async function startPeer(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; pid: number; url: string }> {
  const child = spawn(process.execPath, [new URL('./bare.ts', import.meta.url).pathname], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, pid: child.pid ?? 0, url: `${said.toString().trim().split(' ')[1] ?? ''}/` }
}

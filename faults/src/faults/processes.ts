import { execFileSync } from 'node:child_process'
import { modules } from '@callboard/all'
import { until } from '@callboard/testkit/until'
import type { Member } from '@callboard/tools/cluster'
import { told } from '../load/requests.ts'
import type { World } from '../world.ts'
import { type Fault, PATIENCE_MS, seconds } from './fault.ts'

const TARGETS = modules.map(({ name }) => name)
const TAKEN_OVER = 'the other replica keeps serving; requests in progress end with 503 or 504 within their deadlines'

const oneOf = ({ cluster, random }: World, target: string) => random.pick(cluster.of(target))

const killed: Fault[] = TARGETS.map((target) => ({
  name: `kill -9 of ${target} amid requests`,
  how: 'SIGKILL to one of two replicas, which is started again after one second',
  mustHold: TAKEN_OVER,
  async inject(world) {
    const member = oneOf(world, target)
    await member.end('SIGKILL')
    await seconds(1)
    await member.start()
  },
}))

const both: Fault = {
  name: 'kill -9 of both facilitators at once',
  how: 'SIGKILL to every replica of x402-facilitator during settlements; all are started again at once',
  mustHold: 'every payment in progress reaches one outcome after the start',
  async inject({ cluster }) {
    await Promise.all(cluster.of('x402-facilitator').map((member) => member.end('SIGKILL')))
    await Promise.all(cluster.of('x402-facilitator').map((member) => member.start()))
  },
}

const everything: Fault = {
  name: 'kill -9 of every process at once',
  how: 'SIGKILL to all services under load; all are started again together',
  mustHold: 'the next start completes or undoes whatever was under way',
  async inject({ cluster }) {
    await Promise.all(cluster.members.map((member) => member.end('SIGKILL')))
    await Promise.all(cluster.members.map((member) => member.start()))
  },
}

const paused: Fault[] = ['gateway', 'x402-facilitator', 'listings', 'chain-indexer'].map((target) => ({
  name: `a replica of ${target} paused 10 s`,
  how: 'SIGSTOP to the replica, and SIGCONT after ten seconds',
  mustHold: 'it does not use leases that expired during the pause',
  async inject(world) {
    const member = oneOf(world, target)
    member.signal('SIGSTOP')
    await seconds(10)
    member.signal('SIGCONT')
  },
}))

const blocked: Fault[] = ['x402-facilitator', 'gateway'].map((target) => ({
  name: `event loop of ${target} blocked`,
  how: 'a busy loop of five seconds inside one replica',
  mustHold: 'the replica answers late or not at all, and nothing else waits for it',
  async inject(world) {
    oneOf(world, target).signal('SIGUSR2')
    await seconds(6)
  },
}))

const SHORT_OF_MEMORY_MB = 48
const memory: Fault = {
  name: 'memory short',
  how: `a catalog and a facilitator run with a heap of ${SHORT_OF_MEMORY_MB} MB, which may kill them at any step`,
  mustHold: TAKEN_OVER,
  async inject(world) {
    const members = ['catalog', 'x402-facilitator'].map((target) => oneOf(world, target))
    for (const member of members) {
      await member.end()
      await member.start({ NODE_OPTIONS: `--max-old-space-size=${SHORT_OF_MEMORY_MB}` }).catch(() => {})
    }
    await seconds(5)
    for (const member of members) {
      await member.end()
      await member.start()
    }
  },
}

const limitFiles = (pid: number, limit: number) =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`], { stdio: 'ignore' })

const descriptors: Fault = {
  name: 'descriptors short',
  how: 'the open-file limit of one gateway and one facilitator is lowered to 40 for five seconds',
  mustHold: 'new connections fail, and the process survives and accepts connections again afterwards',
  impossible: () => (process.platform === 'linux' ? undefined : 'prlimit exists only on Linux'),
  async inject(world) {
    const members = ['gateway', 'x402-facilitator'].map((target) => oneOf(world, target))
    const pids = members.flatMap(({ pid }) => pid ?? [])
    for (const pid of pids) limitFiles(pid, 40)
    await seconds(5)
    for (const pid of pids) limitFiles(pid, 1_024)
    for (const member of members) if (!member.running) throw new Error(`${member.target} ended`)
  },
}

const clocks: Fault[] = [
  { name: 'clocks 5 minutes ahead', ms: 5 * 60_000 },
  { name: 'clocks 2 hours behind', ms: -2 * 3_600_000 },
].map(({ name, ms }) => ({
  name,
  how: 'one replica of every service is started with its clock shifted',
  mustHold:
    'money is judged by the chain’s and the database’s time; leases and the order of events do not depend on clocks',
  async inject({ cluster }) {
    const members = TARGETS.flatMap((target) => cluster.of(target).slice(0, 1))
    const restart = async (env: NodeJS.ProcessEnv) =>
      Promise.all(members.map((member) => member.end().then(() => member.start(env))))
    await restart({ FAULT_CLOCK_MS: String(ms) })
    await seconds(5)
    await restart({})
  },
}))

const rolling: Fault = {
  name: 'rolling restart',
  how: 'SIGTERM to one replica of every service at the same time, as in an upgrade of the chart, and to the other replicas once these are back',
  mustHold: 'no request is lost: every request in between gets the answer that it asked for',
  async inject({ cluster, load }) {
    const from = load.requests.sent.length
    const replace = async (member: Member) => {
      const code = await member.end()
      if (code !== 0) throw new Error(`${member.target} ended with ${code}:\n${member.lastLines}`)
      await member.start()
    }
    const replicas = TARGETS.map((target) => cluster.of(target))
    for (let at = 0; at < Math.max(...replicas.map(({ length }) => length)); at += 1)
      await Promise.all(replicas.flatMap((of) => of[at] ?? []).map(replace))
    await until('both gateways serve', () => cluster.of('gateway').every(({ ready }) => ready), PATIENCE_MS)
    const lost = load.requests.sent.slice(from).filter(({ status }) => status === 0 || status >= 400)
    if (lost.length > 0) {
      const first = lost.slice(0, 5).map(told).join(', ')
      throw new Error(`${lost.length} of ${load.requests.sent.length - from} requests were lost: ${first}`)
    }
  },
}

export const processes: readonly Fault[] = [
  ...killed,
  both,
  everything,
  ...paused,
  ...blocked,
  memory,
  descriptors,
  ...clocks,
  rolling,
]

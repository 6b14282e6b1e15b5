import { modules } from '@callboard/all'
import type { Cluster } from '@callboard/tools/cluster'
import type { Wanted } from './pager.ts'

/** A process or server to kill, the expected page, and how to recover it. */
export interface Death {
  readonly name: string
  readonly how: string
  readonly page: Wanted
  /** The most seconds from the death to the page, with default windows. */
  readonly withinSeconds: number
  readonly kill: (cluster: Cluster) => Promise<unknown>
  readonly recover: (cluster: Cluster) => Promise<unknown>
}

const services: Death[] = modules.map(({ name }) => ({
  name: `${name} dead`,
  how: 'SIGKILL to every process of the service',
  page: { alertname: 'TargetDown', labels: { service: name } },
  withinSeconds: 180,
  kill: (cluster) => Promise.all(cluster.of(name).map((member) => member.end('SIGKILL'))),
  recover: (cluster) => Promise.all(cluster.of(name).map((member) => member.start())),
}))

const replica: Death = {
  name: 'one gateway of two dead',
  how: 'SIGKILL to one process',
  page: { alertname: 'ProcessDown', labels: { job: 'gateway' } },
  withinSeconds: 240,
  kill: async (cluster) => cluster.of('gateway')[0]?.end('SIGKILL'),
  recover: async (cluster) => cluster.of('gateway')[0]?.start(),
}

const half = ({ members }: Cluster) => members.slice(0, Math.ceil(members.length / 2))

const halfOfAll: Death = {
  name: 'half of all processes dead',
  how: 'SIGKILL to every second process or more',
  page: { alertname: 'HalfOfProcessesDown' },
  withinSeconds: 180,
  kill: (cluster) => Promise.all(half(cluster).map((member) => member.end('SIGKILL'))),
  recover: (cluster) => Promise.all(half(cluster).map((member) => member.start())),
}

const server = (name: 'postgres' | 'nats' | 'redis', alertname: string): Death => ({
  name: `${name} dead`,
  how: 'SIGKILL, and a start on the same data',
  page: { alertname },
  withinSeconds: 180,
  kill: (cluster) => cluster[name].kill(),
  recover: (cluster) => cluster[name].again(),
})

const hangs = (name: 'nats' | 'redis', alertname: string): Death => ({
  name: `${name} hangs`,
  how: 'SIGSTOP: connections stay open and nothing answers; SIGCONT',
  page: { alertname },
  withinSeconds: 180,
  kill: async (cluster) => cluster[name].pause(),
  recover: async (cluster) => cluster[name].resume(),
})

const chain: Death = {
  name: 'the node of the chain hangs',
  how: 'SIGSTOP: connections stay open and nothing answers; SIGCONT',
  page: { alertname: 'ChainSilent' },
  withinSeconds: 270,
  kill: async (cluster) => cluster.chain.pause(),
  recover: async (cluster) => cluster.chain.resume(),
}

/** Every server and every service, one after the other. */
export const DEATHS: readonly Death[] = [
  server('postgres', 'PostgresDown'),
  server('nats', 'NatsDown'),
  server('redis', 'RedisDown'),
  hangs('nats', 'NatsDown'),
  hangs('redis', 'RedisDown'),
  chain,
  halfOfAll,
  replica,
  ...services,
]

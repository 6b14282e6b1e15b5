import { modules } from '@callboard/all'
import { DEATHS, type Death } from '../walk/deaths.ts'
import type { Line } from './prometheus.ts'

/** A failure, and the panel that shows it. */
export interface Failure extends Pick<Death, 'name' | 'kill' | 'recover'> {
  readonly dashboard: string
  readonly panel: string
  /** Whether the panel's present lines show it. */
  readonly isShown: (lines: readonly Line[]) => boolean
  /** The service that has no running process meanwhile. */
  readonly service?: string
}

type Shown = Omit<Failure, 'name' | 'kill' | 'recover'>

const last = (lines: readonly Line[], label: string, value: string): number | undefined =>
  lines.find(({ labels }) => labels[label] === value)?.values.at(-1)

const withoutServer = (server: string): Shown => ({
  dashboard: 'stores',
  panel: 'Processes without one',
  isShown: (lines) => (last(lines, 'server', server) ?? 0) > 0,
})

const DASHBOARD_OF: Readonly<Record<string, string>> = {
  gateway: 'gateway',
  oauth: 'oauth-and-agents',
  agents: 'oauth-and-agents',
  'liveness-prober': 'prober',
  'x402-facilitator': 'payments',
  router: 'router',
  'chain-indexer': 'indexer',
  listings: 'catalogue',
  catalog: 'catalogue',
}

/** A dead service has no line: zero would mean that its processes live and are not ready. */
const dead = (service: string): Shown => ({
  dashboard: DASHBOARD_OF[service] ?? '',
  panel: 'Ready',
  service,
  isShown: (lines) => last(lines, 'service', service) === undefined,
})

const SHOWN: Readonly<Record<string, Shown>> = {
  'postgres dead': withoutServer('postgres'),
  'nats dead': withoutServer('nats'),
  'redis dead': withoutServer('redis'),
  'nats hangs': withoutServer('nats'),
  'redis hangs': withoutServer('redis'),
  'the node of the chain hangs': {
    dashboard: 'overview',
    panel: 'Silence of a chain',
    // The panel turns orange from here on.
    isShown: (lines) => (lines[0]?.values.at(-1) ?? 0) > 15,
  },
  'half of all processes dead': {
    dashboard: 'overview',
    panel: 'Services that are ready',
    isShown: (lines) => (lines[0]?.values.at(-1) ?? 0) < modules.length,
  },
  'one gateway of two dead': {
    dashboard: 'gateway',
    panel: 'Ready',
    isShown: (lines) => last(lines, 'service', 'gateway') === 1,
  },
  ...Object.fromEntries(modules.map(({ name }) => [`${name} dead`, dead(name)])),
}

/** Every death in the walk of the alerts, with the panel that shows it. @throws Error for one that none shows */
export const FAILURES: readonly Failure[] = DEATHS.map(({ name, kill, recover }) => {
  const shown = SHOWN[name]
  if (!shown) throw new Error(`No panel shows: ${name}`)
  return { name, kill, recover, ...shown }
})

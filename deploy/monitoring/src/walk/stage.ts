import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit/until'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import { type Pager, startPager } from './pager.ts'
import { untilCalm } from './walk.ts'
import { startWatchers } from './watchers.ts'

/** A monitored cluster of separate services. */
export interface Stage {
  readonly cluster: Cluster
  readonly pager: Pager
  readonly prometheusUrl: string
  stop(): Promise<void>
}

export interface Setting {
  /** Stores all data. */
  readonly folder: string
  /** The factor by which every window is shortened. */
  readonly times: number
  readonly log: (line: string) => unknown
  /** Settings of every process. */
  readonly env?: NodeJS.ProcessEnv
}

/** For the Watchdog's page, once everything has started. */
const FIRST_PAGE_MS = 120_000
const CALM_MS = 180_000

/** Starts one process per service and two gateways, Prometheus and Alertmanager; waits until alerts reach the pager. */
export async function openStage({ folder, times, log, env = {} }: Setting): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    mkdirSync(folder, { recursive: true })
    const cluster = await startCluster({ folder, replicas: { gateway: 2 }, log, env })
    undo.push(() => cluster.stop())
    await mineSteadily(cluster.urls.rpcUrl)
    const pager = await startPager()
    undo.push(() => pager.close())
    const watching = {
      folder: join(folder, 'watch'),
      pagerUrl: pager.url,
      times,
      log: (line: string) => void log(line),
    }
    const watchers = await startWatchers(cluster, watching)
    undo.push(() => watchers.stop())
    await until('the Watchdog comes', () => pager.isPaged({ alertname: 'Watchdog' }), FIRST_PAGE_MS)
    await untilCalm(pager, CALM_MS / times)
    return { cluster, pager, prometheusUrl: watchers.prometheusUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A chain without new blocks counts as not followed, as its alert says. */
async function mineSteadily(rpcUrl: string): Promise<void> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setIntervalMining', params: [2] }),
  })
  if (!answer.ok) throw new Error(`The chain does not mine by itself: it answered ${answer.status}`)
  await answer.arrayBuffer()
}

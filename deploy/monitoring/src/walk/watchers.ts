import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAlertmanager, startPrometheus } from '@callboard/testkit/servers'
import type { Cluster } from '@callboard/tools/cluster'
import { plainRules } from '../rule-files.ts'

/** The intervals of Prometheus and Alertmanager in the walk, in seconds. */
export const BEAT = { scrape: 15, evaluate: 15, groupWait: 30, groupInterval: 15 } as const

export interface Watching {
  readonly folder: string
  readonly pagerUrl: string
  /** The factor by which every window is shortened. */
  readonly times: number
  readonly log: (line: string) => void
}

export interface Watchers {
  readonly prometheusUrl: string
  stop(): Promise<void>
}

/** Starts a Prometheus that scrapes every process of a cluster, and an Alertmanager that sends to the pager. */
export async function startWatchers(cluster: Cluster, { folder, pagerUrl, times, log }: Watching): Promise<Watchers> {
  mkdirSync(folder, { recursive: true })
  const duration = (seconds: number) => `${Math.round((seconds * 1_000) / times)}ms`
  const file = (name: string, value: object | string) => {
    const path = join(folder, name)
    // JSON is YAML.
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
    return path
  }
  const alertmanager = await startAlertmanager({
    dataDir: folder,
    log,
    configFile: file('alertmanager.yaml', {
      route: {
        receiver: 'pager',
        group_by: ['...'],
        group_wait: duration(BEAT.groupWait),
        group_interval: duration(BEAT.groupInterval),
        repeat_interval: '1h',
      },
      receivers: [{ name: 'pager', webhook_configs: [{ url: pagerUrl, send_resolved: true }] }],
    }),
  })
  const targets = Object.groupBy(cluster.members, ({ target }) => target)
  const prometheus = await startPrometheus({
    dataDir: folder,
    args: ['--enable-feature=exemplar-storage'],
    log,
    configFile: file('prometheus.yaml', {
      global: {
        scrape_interval: duration(BEAT.scrape),
        evaluation_interval: duration(BEAT.evaluate),
        scrape_timeout: duration(BEAT.scrape),
      },
      rule_files: [file('rules.yaml', plainRules(times))],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [new URL(alertmanager.url).host] }] }] },
      scrape_configs: Object.entries(targets).map(([target, members = []]) => ({
        job_name: target,
        honor_labels: true,
        static_configs: [{ targets: members.map(({ adminUrl }) => new URL(adminUrl).host) }],
      })),
    }),
  }).catch(async (error: unknown) => {
    await alertmanager.stop()
    throw error
  })
  return {
    prometheusUrl: prometheus.url,
    async stop() {
      await prometheus.stop()
      await alertmanager.stop()
    },
  }
}

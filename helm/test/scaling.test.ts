import { join } from 'node:path'
import { modules } from '@callboard/all'
import { durableName, EVENT_STREAM } from '@callboard/bus'
import { describe, expect, test } from 'vitest'
import { CHART, examples, findHelm, MINIMAL } from '../src/chart.ts'
import { targetWork } from '../src/work-measures.ts'
import { ofKind, ofTarget, render, valuesOf } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''
const prober = modules.find(({ name }) => name === 'liveness-prober')
const consumersOfProber = (prober?.consumes ?? []).map(({ event }) =>
  durableName({ service: 'liveness-prober', event }),
)

describe.skipIf(!helm)('scaling', () => {
  const keda = () => render(program, examples().get('keda') ?? '')

  const scaled = () => render(program, examples().get('autoscaling') ?? '')

  test('a HorizontalPodAutoscaler uses every measure of its target’s work, of its own release', () => {
    for (const [target, { resources, metrics }] of Object.entries(targetWork())) {
      const { spec } = ofTarget(scaled(), 'HorizontalPodAutoscaler', target)
      const named = spec.metrics.map((metric: Record<string, { name: string; metric: { name: string } }>) =>
        metric.resource ? metric.resource.name : metric.external?.metric.name,
      )
      expect(named).toEqual([...resources, ...Object.values(metrics).map(({ name }) => name)])
      const releases = spec.metrics.flatMap((metric: { external?: { metric: { selector: object } } }) =>
        metric.external ? [metric.external.metric.selector] : [],
      )
      expect(new Set(releases.map((one: object) => JSON.stringify(one))).size).toBeLessThanOrEqual(1)
      for (const one of releases) expect(one).toEqual({ matchLabels: { release: 'cb' } })
    }
  })

  test('a measure is averaged over replicas or compared as a whole with its target, as the values set it', () => {
    const targets = ofTarget(scaled(), 'HorizontalPodAutoscaler', 'liveness-prober').spec.metrics.map(
      ({ external }: { external: { target: object } }) => external.target,
    )
    expect(targets).toEqual([
      { type: 'AverageValue', averageValue: '320' },
      { type: 'Value', value: '180' },
    ])
  })

  test('KEDA queries Prometheus for the same measures, of this release alone', () => {
    const { spec } = ofTarget(keda(), 'ScaledObject', 'router')
    expect(spec.triggers.filter(({ type }: { type: string }) => type === 'prometheus')).toEqual([
      {
        type: 'prometheus',
        metricType: 'AverageValue',
        metadata: {
          serverAddress: 'http://prometheus.monitoring.svc:9090',
          query:
            "sum by (cluster, namespace, release) (callboard_router_streams_open{namespace='market', release='cb'})",
          threshold: '300',
          ignoreNullValues: 'false',
        },
      },
    ])
  })

  test('KEDA also scales the prober by the lag of each of its consumers, given as text', () => {
    const { spec } = ofTarget(keda(), 'ScaledObject', 'liveness-prober')
    expect(spec.scaleTargetRef).toEqual({ name: 'cb-callboard-liveness-prober' })
    const nats = spec.triggers.filter(({ type }: { type: string }) => type === 'nats-jetstream')
    expect(spec.triggers.length - nats.length).toBe(2)
    expect(nats.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      consumersOfProber.map((consumer) => ({
        natsServerMonitoringEndpoint: 'nats-headless.nats.svc:8222',
        account: '$G',
        stream: EVENT_STREAM,
        consumer,
        lagThreshold: '100',
        activationLagThreshold: '0',
        useHttps: 'false',
      })),
    )
  })

  test('KEDA also scales the indexer by the configured triggers', () => {
    const { spec } = ofTarget(keda(), 'ScaledObject', 'chain-indexer')
    expect(spec.triggers.map(({ type }: { type: string }) => type)).toEqual(['prometheus', 'cron'])
  })

  test('a fresh install starts with the minimum of a scaled target, and with the fixed number elsewhere', () => {
    for (const [name, file] of examples()) {
      const objects = render(program, file)
      const least = new Map<string, number>([
        ...ofKind(objects, 'HorizontalPodAutoscaler').map(
          ({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas] as const,
        ),
        ...ofKind(objects, 'ScaledObject').map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicaCount] as const),
      ])
      const fixed = name === 'ha' ? 3 : name === 'migrations-hook' ? 1 : 2
      for (const { metadata, spec } of ofKind(objects, 'Deployment')) {
        const own = metadata.name.endsWith('chain-indexer') ? 2 : fixed
        expect(spec.replicas, `${name} ${metadata.name}`).toBe(
          least.get(metadata.name) ?? (name === 'migrations-hook' ? 1 : own),
        )
      }
    }
  })

  test('chains are counted in any notation of the values, and not if a Secret has them', () => {
    const targets = { 'chain-indexer': { autoscaling: { kind: 'work', maxReplicas: 2 } } }
    const most = (values: object) => {
      const objects = render(program, join(CHART, 'values.yaml'), { ...values, targets })
      return ofTarget(objects, 'HorizontalPodAutoscaler', 'chain-indexer').spec.maxReplicas
    }
    const { settings, secrets } = valuesOf(MINIMAL)
    const text = '{"eip155:8453":["https://rpc.example/base"],"eip155:5042":["https://rpc.example/arc"]}'
    expect(most({ settings: { ...settings, RPC_URLS: text }, secrets })).toBe(2)
    const { RPC_URLS: _, ...others } = settings ?? {}
    expect(most({ settings: others, secrets: { ...secrets, RPC_URLS: { existingSecret: 'callboard' } } })).toBe(2)
  })

  test('by default the gateway scales by CPU, and the indexer has a standby replica', () => {
    const objects = render(program, MINIMAL)
    expect(ofKind(objects, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).toEqual([
      'cb-callboard-gateway',
    ])
    expect(ofTarget(objects, 'Deployment', 'chain-indexer').spec.replicas).toBe(2)
  })
})

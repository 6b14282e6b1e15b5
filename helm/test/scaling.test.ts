import { modules } from '@callboard/all'
import { durableName, EVENT_STREAM } from '@callboard/bus'
import { describe, expect, test } from 'vitest'
import { examples, findHelm, MINIMAL, ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''
const prober = modules.find(({ name }) => name === 'liveness-prober')
const consumersOfProber = (prober?.consumes ?? []).map(({ event }) =>
  durableName({ service: 'liveness-prober', event }),
)

describe.skipIf(!helm)('scaling', () => {
  const keda = () => render(program, examples().get('keda') ?? '')

  test('KEDA scales the prober by the lag of each of its consumers, given as text', () => {
    const { spec } = ofTarget(keda(), 'ScaledObject', 'liveness-prober')
    expect(spec.scaleTargetRef).toEqual({ name: 'cb-callboard-liveness-prober' })
    expect(spec.triggers.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
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

  test('KEDA scales the indexer by the triggers it is given', () => {
    const { spec } = ofTarget(keda(), 'ScaledObject', 'chain-indexer')
    expect(spec.triggers.map(({ type }: { type: string }) => type)).toEqual(['prometheus'])
  })

  test('what scales a target also decides how many replicas it has', () => {
    for (const [, file] of examples()) {
      const objects = render(program, file)
      const scaled = [...ofKind(objects, 'HorizontalPodAutoscaler'), ...ofKind(objects, 'ScaledObject')]
      const names = new Set(scaled.map(({ metadata }) => metadata.name))
      for (const { metadata, spec } of ofKind(objects, 'Deployment')) {
        expect(spec.replicas === undefined, metadata.name).toBe(names.has(metadata.name))
      }
    }
  })

  test('by default the gateway follows its CPU, and the indexer has a second replica to take over', () => {
    const objects = render(program, MINIMAL)
    expect(ofKind(objects, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).toEqual([
      'cb-callboard-gateway',
    ])
    expect(ofTarget(objects, 'Deployment', 'chain-indexer').spec.replicas).toBe(2)
  })
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHART, findHelm, MINIMAL } from '../src/chart.ts'
import { refusal, valuesOf } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

describe.skipIf(!helm)('contradictory values are refused with a fix', () => {
  const prober = (autoscaling: object) => ({ targets: { 'liveness-prober': { autoscaling } } })
  test.each<[string, object, string]>([
    [
      'a setting twice',
      { secrets: { RPC_URLS: { existingSecret: 'x' } } },
      'RPC_URLS stands under settings and under secrets',
    ],
    [
      'a setting for who does not read it',
      { targets: { catalog: { settings: { GAS_LIMIT: 100_000 } } } },
      'targets.catalog.settings.GAS_LIMIT: catalog does not read it',
    ],
    [
      'chain keys by the back door',
      { defaults: { extraEnv: [{ name: 'FACILITATOR_KEYS', value: '0x1' }] } },
      'extraEnv names FACILITATOR_KEYS, which is a setting',
    ],
    [
      'a key and a key per target',
      { secrets: { NATS_URL: { key: 'a', keyPerTarget: true } } },
      'secrets.NATS_URL: key and keyPerTarget',
    ],
    [
      'rights for roles as which no target signs in',
      { migrations: { databaseRolePrefix: 'callboard_' } },
      'give secrets.DATABASE_URL.keyPerTarget',
    ],
    [
      'rights without a Job that grants them',
      { migrations: { mode: 'none', databaseRolePrefix: 'callboard_' } },
      'migrations.databaseRolePrefix has no Job to go to',
    ],
    [
      'more connections than Postgres has',
      { postgres: { maxConnections: 100 }, settings: { DATABASE_POOL_SIZE: 4 } },
      'postgres.maxConnections is 100, and the targets may open 168 connections (agents 20, catalog 20, chain-indexer 20',
    ],
    [
      'a pooler without a way past it',
      { postgres: { poolerConnections: 40 }, settings: { DATABASE_POOLER_PREPARES: true } },
      'postgres.poolerConnections is of a pooler: give secrets.DATABASE_DIRECT_URL',
    ],
    [
      'two ways to Postgres as different users',
      { secrets: { DATABASE_DIRECT_URL: { existingSecret: 'direct', keyPerTarget: true } } },
      'give keyPerTarget to both or to none',
    ],
    ['a tag and a digest', { image: { tag: '1', digest: `sha256:${'0'.repeat(64)}` } }, 'image.tag and image.digest'],
    ['KEDA without NATS’s monitoring', prober({ kind: 'keda' }), 'give keda.natsMonitoringEndpoint'],
    [
      'KEDA without Prometheus',
      prober({ kind: 'keda' }),
      'give keda.prometheusAddress, where KEDA reads overdueOrigins, overdueSeconds',
    ],
    [
      'KEDA for who consumes nothing',
      { targets: { oauth: { autoscaling: { kind: 'keda' } } } },
      'consumes no events that could lag',
    ],
    [
      'work for which there is no measure',
      { targets: { oauth: { autoscaling: { kind: 'work' } } } },
      'of oauth nothing but CPU and memory is measured: set kind to cpu',
    ],
    [
      'the measure of another target',
      prober({ kind: 'work', work: { openStreams: 10 } }),
      'work.openStreams: liveness-prober is not measured by it, but by overdueOrigins, overdueSeconds',
    ],
    [
      'more indexers than chains',
      { targets: { 'chain-indexer': { autoscaling: { kind: 'work', maxReplicas: 2 } } } },
      'maxReplicas is 2, and RPC_URLS names 1 chains: each has one leader, so more replicas than chains do nothing. Give at most 1',
    ],
    [
      'more chains than connections',
      { settings: { DATABASE_POOL_SIZE: 2 } },
      'targets.chain-indexer: DATABASE_POOL_SIZE is 2, and leading 1 chains takes at least 3 connections',
    ],
    ['nothing by its work', prober({ kind: 'work', minReplicas: 0 }), 'by its work no target scales to nothing'],
    [
      'memory without a request',
      {
        targets: { catalog: { autoscaling: { kind: 'work', targetMemoryUtilizationPercentage: 80 } } },
        defaults: { resources: { requests: { memory: null } } },
      },
      'resources.requests.memory',
    ],
    ['KEDA’s triggers without KEDA', prober({ kind: 'cpu', triggers: [{ type: 'cron' }] }), 'triggers are KEDA'],
    ['least above most', prober({ kind: 'cpu', minReplicas: 5, maxReplicas: 2 }), 'minReplicas is above maxReplicas'],
    ['nothing by CPU', prober({ kind: 'cpu', minReplicas: 0 }), 'minReplicas is at least 1'],
    [
      'nothing by what only replicas measure',
      {
        ...prober({ kind: 'keda', minReplicas: 0 }),
        keda: { prometheusAddress: 'http://prometheus:9090', natsMonitoringEndpoint: 'nats:8222' },
      },
      'minReplicas is at least 1, or give autoscaling.triggers that start it',
    ],
    [
      'CPU without a request',
      { ...prober({ kind: 'cpu' }), defaults: { resources: { requests: { cpu: null } } } },
      'resources.requests.cpu',
    ],
    [
      'a pod cut off',
      { targets: { gateway: { terminationGracePeriodSeconds: 20 } } },
      'work in flight would be cut off',
    ],
    [
      'a start that is given up before the migration step',
      { defaults: { probes: { startup: { failureThreshold: 150 } } } },
      'it gives up before migrations.activeDeadlineSeconds',
    ],
    ['an Ingress without hosts', { ingress: { enabled: true } }, 'give ingress.hosts'],
    ['a route without a Gateway', { httpRoute: { enabled: true } }, 'give httpRoute.parentRefs'],
    [
      'a door without a gateway',
      { ingress: { enabled: true, hosts: ['a'] }, targets: { gateway: { enabled: false } } },
      'lead to the gateway, which is not enabled',
    ],
    [
      'a proxy that no setting names',
      { ingress: { enabled: true, hosts: ['a'] } },
      'give targets.gateway.settings.TRUST_PROXY, its networks (10.0.0.0/8) or how many proxies there are (1)',
    ],
    [
      'a proxy that may be any client',
      { ingress: { enabled: true, hosts: ['a'] }, targets: { gateway: { settings: { TRUST_PROXY: true } } } },
      'TRUST_PROXY is true: give the networks of the proxies (10.0.0.0/8) or how many there are (1)',
    ],
    ['nothing at all', { defaults: { enabled: false } }, 'No target is enabled'],
  ])('%s', (_, values, sentence) => {
    expect(refusal(program, MINIMAL, values)).toContain(sentence)
  })

  test.each<[string, string, string]>([
    [
      'settings',
      'DECODE_PAY_TO',
      'DECODE_PAY_TO is needed by x402-facilitator: give secrets.DECODE_PAY_TO or settings.',
    ],
    ['settings', 'RPC_URLS', 'RPC_URLS is needed by agents, chain-indexer, '],
    ['secrets', 'FACILITATOR_KEYS', 'FACILITATOR_KEYS is needed by x402-facilitator: give secrets.FACILITATOR_KEYS.'],
    ['secrets', 'NATS_URL', 'NATS_URL is needed by '],
  ])('%s without %s', (where, setting, sentence) => {
    const { [where]: members, ...rest } = valuesOf(MINIMAL)
    const { [setting]: _, ...left } = members ?? {}
    expect(refusal(program, join(CHART, 'values.yaml'), { ...rest, [where]: left })).toContain(sentence)
  })

  test('a gateway alone without Postgres, which the migration step needs', () => {
    const { secrets, ...rest } = valuesOf(MINIMAL)
    const { DATABASE_URL: _, ...left } = secrets ?? {}
    const gateway = { ...rest, secrets: left, defaults: { enabled: false }, targets: { gateway: { enabled: true } } }
    const values = join(CHART, 'values.yaml')
    expect(refusal(program, values, gateway)).toContain('DATABASE_URL is needed by the migration step: give secrets.')
    expect(refusal(program, values, { ...gateway, migrations: { mode: 'none' } })).toBe('')
  })

  test('all problems are reported together', () => {
    const said = refusal(program, join(CHART, 'values.yaml'), {})
    for (const setting of ['BASE_URL', 'DATABASE_URL', 'FACILITATOR_KEYS'])
      expect(said).toContain(`${setting} is needed by`)
  })
})

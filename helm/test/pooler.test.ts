import { modules } from '@callboard/all'
import { describe, expect, test } from 'vitest'
import { examples, findHelm, MINIMAL } from '../src/chart.ts'
import { ofKind, ofTarget, refusal, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''
const file = examples().get('cnpg-pooler') ?? ''

/** The first container's variables, by name: the Secret and its key, or the value. */
function envOf({ spec }: { readonly spec?: { template: { spec: { containers: { env: Env[] }[] } } } }) {
  const env = spec?.template.spec.containers[0]?.env ?? []
  return new Map(env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef]))
}
interface Env {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}

describe.skipIf(!helm)('Postgres behind a transaction pooler', () => {
  test('each target with tables has both URLs, the Job only the direct one', () => {
    const objects = render(program, file)
    const [pooler, direct] = ['pooler', 'direct'].map((key) => ({ name: 'callboard-database', key }))
    for (const { name, migrations } of modules) {
      const env = envOf(ofTarget(objects, 'Deployment', name))
      expect(env.get('DATABASE_URL'), name).toEqual(migrations && pooler)
      expect(env.get('DATABASE_DIRECT_URL'), name).toEqual(migrations && direct)
    }
    const [job] = ofKind(objects, 'Job')
    const env = envOf(job ?? {})
    expect(env.get('DATABASE_URL')).toEqual(direct)
    expect(env.has('DATABASE_DIRECT_URL')).toBe(false)
  })

  test('a target counts only its direct sessions, including one for each chain', () => {
    const tight = { postgres: { maxConnections: 1 } }
    expect(refusal(program, file, tight)).toContain(
      'the targets may open 148 connections (agents 8, catalog 4, chain-indexer 12, listings 8, liveness-prober 8, oauth 8, router 4, x402-facilitator 8, migrate 8, pooler 80)',
    )
    const chains = { 'eip155:8453': ['https://one.example'], 'eip155:84532': ['https://other.example'] }
    for (const RPC_URLS of [chains, JSON.stringify(chains)])
      expect(refusal(program, file, { ...tight, settings: { RPC_URLS } })).toContain('chain-indexer 16')
  })

  test('the old replicas count beside the new ones: those that are ending still work while all new ones start', () => {
    const own = { settings: { DATABASE_POOL_SIZE: 4 }, postgres: { maxConnections: 1 } }
    const one = { targets: { router: { replicas: 7, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } }
    expect(refusal(program, MINIMAL, { ...own, ...one })).toContain('router 70,')
  })

  test('the example’s Pooler uses transaction mode and belongs to the cluster next to it', () => {
    const objects = render(program, file)
    const [[cluster], [pooler]] = [ofKind(objects, 'Cluster'), ofKind(objects, 'Pooler')]
    expect(pooler?.spec).toMatchObject({ type: 'rw', pgbouncer: { poolMode: 'transaction' } })
    expect(pooler?.spec.cluster.name).toBe(cluster?.metadata.name)
    expect(pooler?.metadata.name).not.toBe(cluster?.metadata.name)
  })

  test('without a pooler no target has a pooler setting', () => {
    const env = envOf(ofTarget(render(program, MINIMAL), 'Deployment', 'oauth'))
    expect([...env.keys()].filter((name) => name.startsWith('DATABASE_'))).toEqual(['DATABASE_URL'])
  })
})

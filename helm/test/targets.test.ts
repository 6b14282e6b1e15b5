import { modules } from '@callboard/all'
import { RuntimeConfig, runtimeConfigOf } from '@callboard/runtime'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { examples, findHelm, type KubeObject, MINIMAL } from '../src/chart.ts'
import { ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}

const container = (object: KubeObject) => object.spec.template.spec.containers[0]
const envOf = (object: KubeObject): EnvVar[] => container(object).env

describe.skipIf(!helm)('targets', () => {
  const all = new Map([...examples()].map(([name, file]) => [name, helm ? render(program, file) : []]))
  const minimal = all.get('minimal') ?? []

  test('every service has its own Deployment, all with one image that starts by itself', () => {
    const deployments = ofKind(minimal, 'Deployment')
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(
      modules.map(({ name }) => `cb-callboard-${name}`).sort(),
    )
    expect(new Set(deployments.map((one) => container(one).image))).toEqual(new Set([`callboard:${manifest.version}`]))
    for (const one of deployments) expect(container(one).command).toBeUndefined()
  })

  test.each([...all.keys()])('%s: each service accepts the settings of its Deployment', (name) => {
    for (const module of modules) {
      const env = envOf(ofTarget(all.get(name) ?? [], 'Deployment', module.name))
      const isFile = ({ name: setting }: EnvVar) => setting.endsWith('_FILE')
      const ofSecrets = env.filter((one) => one.valueFrom || isFile(one))
      const fromSecrets = new Set(ofSecrets.map((one) => one.name.replace(/_FILE$/, '')))
      const plain = env.filter((one) => !isFile(one))
      const given = Object.fromEntries(plain.map((one) => [one.name, one.value ?? 'from a Secret']))
      const issues = [runtimeConfigOf([module]), module.config]
        .flatMap((schema) => schema.safeParse(given).error?.issues ?? [])
        .filter(({ path }) => !fromSecrets.has(String(path[0])))
      expect(issues, module.name).toEqual([])
    }
  })

  test('a secret reaches only the services that read it: chain keys the facilitator alone', () => {
    for (const [name, objects] of all) {
      for (const module of modules) {
        const reads = new Set([...Object.keys(RuntimeConfig.shape), ...Object.keys(module.config.shape)])
        const secrets = envOf(ofTarget(objects, 'Deployment', module.name)).filter(({ valueFrom }) => valueFrom)
        expect(
          secrets.filter((one) => !reads.has(one.name)),
          `${name} ${module.name}`,
        ).toEqual([])
      }
      // The runbooks are text that names it.
      const holders = objects.filter(
        (object) => !object.metadata.name.endsWith('-runbooks') && JSON.stringify(object).includes('FACILITATOR_KEYS'),
      )
      expect(holders.map(({ metadata }) => metadata.name)).toEqual(['cb-callboard-x402-facilitator'])
    }
  })

  test('the chart creates no Secret', () => {
    for (const objects of all.values()) expect(ofKind(objects, 'Secret')).toEqual([])
  })

  test('a Secret with a key per target gives each its own, and the migration step “migrate”', () => {
    const objects = all.get('external-secrets') ?? []
    const refs = (object: KubeObject) =>
      Object.fromEntries(
        envOf(object).flatMap(({ name, valueFrom }) => (valueFrom ? [[name, valueFrom.secretKeyRef]] : [])),
      )
    expect(refs(ofTarget(objects, 'Deployment', 'oauth'))).toMatchObject({
      NATS_URL: { name: 'callboard-nats', key: 'oauth' },
      REDIS_URL: { name: 'callboard-redis', key: 'url' },
    })
    expect(refs(ofTarget(objects, 'Job', 'migrate'))).toEqual({
      DATABASE_URL: { name: 'callboard-postgres', key: 'migrate' },
      NATS_URL: { name: 'callboard-nats', key: 'migrate' },
    })
  })

  test('a Secret as a file is mounted where it is read; the migration step has it in its environment', () => {
    const objects = all.get('secret-files') ?? []
    const facilitator = ofTarget(objects, 'Deployment', 'x402-facilitator')
    const { volumes, containers } = facilitator.spec.template.spec
    const { sources } = volumes.find(({ name }: { name: string }) => name === 'callboard-secrets').projected
    expect(sources).toContainEqual({
      secret: { name: 'callboard-facilitator', items: [{ key: 'FACILITATOR_KEYS', path: 'FACILITATOR_KEYS' }] },
    })
    expect(sources).toContainEqual({
      secret: { name: 'callboard-postgres', items: [{ key: 'x402-facilitator', path: 'DATABASE_URL' }] },
    })
    const { mountPath } = containers[0].volumeMounts.find(({ name }: { name: string }) => name === 'callboard-secrets')
    const files = envOf(facilitator).filter(({ name }) => name.endsWith('_FILE'))
    expect(files.map(({ value }) => value).sort()).toEqual(
      sources
        .map(({ secret }: { secret: { items: { path: string }[] } }) => `${mountPath}/${secret.items[0]?.path}`)
        .sort(),
    )
    expect(JSON.stringify(ofTarget(objects, 'Deployment', 'oauth'))).not.toContain('callboard-facilitator')
    expect(envOf(ofTarget(objects, 'Job', 'migrate')).map(({ name }) => name)).toContain('DATABASE_URL')
    expect(JSON.stringify(all.get('minimal'))).not.toContain('callboard-secrets')
  })

  test('numbers stay exact and maps become JSON in the environment', () => {
    const value = (target: string, name: string) =>
      envOf(ofTarget(all.get('ha') ?? [], 'Deployment', target)).find((one) => one.name === name)?.value
    expect(value('gateway', 'MAX_BODY_BYTES')).toBe('1048576')
    expect(value('gateway', 'TRUST_PROXY')).toBe('10.0.0.0/8')
    expect(value('oauth', 'RPC_URLS')).toBe('{"eip155:8453":["https://rpc.example/base"]}')
    const route = ofTarget(all.get('http-route') ?? [], 'Deployment', 'gateway')
    expect(envOf(route)).toContainEqual({ name: 'TRUST_PROXY', value: '1' })
    const price = render(program, MINIMAL, { settings: { DECODE_PRICE_USD: 0.001 } })
    expect(envOf(ofTarget(price, 'Deployment', 'x402-facilitator'))).toContainEqual({
      name: 'DECODE_PRICE_USD',
      value: '0.001',
    })
    const smallest = render(program, MINIMAL, { settings: { DUST_USD: 0.00001, EXPOSURE_FLOOR_USD: 0.0000125 } })
    for (const [target, name, text] of [
      ['catalog', 'DUST_USD', '0.00001'],
      ['x402-facilitator', 'EXPOSURE_FLOOR_USD', '0.0000125'],
    ] as const)
      expect(envOf(ofTarget(smallest, 'Deployment', target))).toContainEqual({ name, value: text })
  })

  test('a disabled target has no objects at all', () => {
    const objects = render(program, MINIMAL, { targets: { catalog: { enabled: false } } })
    expect(objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'catalog')).toEqual([])
  })
})

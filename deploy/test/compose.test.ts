import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { RuntimeConfig, StreamConfig } from '@callboard/runtime'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ComposeService, composeFile, DEPLOY, specificationErrors, textOf, variablesOf } from './compose-file.ts'

/** What an operator writes into deploy/.env. */
const ENV = {
  POSTGRES_PASSWORD: 'p0stgres',
  GRAFANA_PASSWORD: 'grafana',
  BASE_URL: 'https://callboard.example',
  RPC_URLS: '{"eip155:8453":["https://rpc.example"]}',
  DECODE_PAY_TO: '0x000000000000000000000000000000000000dEaD',
  LINK_SIGNING_KEY: 'k'.repeat(32),
  FACILITATOR_KEYS: `0x${'11'.repeat(32)}`,
}

const USERS = [...modules.map(({ name }) => name), 'migrate']
const PASSWORDS = Object.fromEntries(
  USERS.map((user) => [`NATS_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`, `p-${user}`]),
)

const SIGNING_IN = [...modules.flatMap(({ name, migrations }) => (migrations ? [name] : [])), 'migrate']
const ROLE_PASSWORDS = Object.fromEntries(
  SIGNING_IN.map((user) => [`POSTGRES_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`, `q${user}`]),
)

const hasComposePlugin = (): boolean => {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const environmentOf = ({ environment = {} }: ComposeService) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]))

describe('deploy/compose.yaml', () => {
  const { services, volumes = {} } = composeFile('compose.yaml', ENV)
  const serviceOf = (name: string): ComposeService => {
    const service = services[name]
    if (!service) throw new Error(`compose.yaml has no ${name}.`)
    return service
  }

  test('conforms to the compose specification, together with its overlays', () => {
    expect(specificationErrors(composeFile('compose.yaml', ENV))).toEqual([])
    expect(specificationErrors(composeFile('compose.nats-users.yaml', { ...ENV, ...PASSWORDS }))).toEqual([])
    const postgresUsers = composeFile('compose.postgres-users.yaml', { ...ENV, ...ROLE_PASSWORDS })
    expect(specificationErrors(postgresUsers)).toEqual([])
    expect(specificationErrors({ services: { one: { imagine: 'x' } } } as never)).not.toEqual([])
  })

  test('runs every target with settings that it accepts', () => {
    for (const module of modules) {
      const environment = environmentOf(serviceOf(module.name))
      expect(environment.TARGET).toBe(module.name)
      const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
      for (const schema of [RuntimeConfig, module.config]) {
        expect(schema.safeParse(given).error?.issues ?? [], module.name).toEqual([])
      }
    }
  })

  test('gives a target only what it reads: chain keys go to the facilitator alone', () => {
    for (const module of modules) {
      const reads = [...Object.keys(RuntimeConfig.shape), ...Object.keys(module.config.shape)]
      const own = new Set([...reads, 'TARGET', 'CALLBOARD_DATA', 'RPC_URLS'])
      const given = Object.keys(environmentOf(serviceOf(module.name)))
      expect(
        given.filter((name) => !own.has(name)),
        module.name,
      ).toEqual([])
    }
    const holders = Object.entries(services).filter(([, one]) => JSON.stringify(one).includes(ENV.FACILITATOR_KEYS))
    expect(holders.map(([name]) => name)).toEqual(['x402-facilitator'])
  })

  test('makes targets wait for the migration step, which runs once with the same image', () => {
    const migrate = serviceOf('migrate')
    expect(migrate.command).toEqual(['node', 'services/all/src/main.ts', '--migrate'])
    for (const { name } of modules) {
      const target = serviceOf(name)
      expect(target.image).toBe(migrate.image)
      expect(target.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' })
      expect(environmentOf(target).MIGRATIONS).toBe('wait')
    }
  })

  test('gives the migration step the settings of the stream, which only it applies to an existing one', () => {
    const stream = { NATS_STREAM_REPLICAS: '3', NATS_STREAM_MAX_AGE_DAYS: '30', NATS_STREAM_MAX_BYTES: '1000000' }
    expect(Object.keys(stream).sort()).toEqual(Object.keys(StreamConfig.shape).sort())
    const { migrate = {} } = composeFile('compose.yaml', { ...ENV, ...stream }).services
    expect(environmentOf(migrate)).toMatchObject(stream)
  })

  test('lets our containers write only to /tmp, and gives them no privileges', () => {
    for (const name of USERS) {
      expect(serviceOf(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp'],
      })
    }
  })

  test('refers only to services, volumes and files that exist', () => {
    for (const [name, { depends_on = {}, volumes: mounts = [] }] of Object.entries(services)) {
      for (const other of Object.keys(depends_on)) expect(services, name).toHaveProperty(other)
      for (const mount of mounts) {
        const [source = ''] = mount.split(':')
        if (!source.startsWith('./')) expect(volumes, name).toHaveProperty(source)
        else if (!source.startsWith('./monitoring/')) expect(existsSync(join(DEPLOY, source)), source).toBe(true)
      }
    }
    const { scrape_configs: scrapes } = parse(textOf('compose/prometheus.yaml'))
    expect(scrapes[0].dns_sd_configs[0].names).toEqual(modules.map(({ name }) => name))
  })

  test('lets metrics keep a label that Prometheus gives to targets too', () => {
    const labels = textOf('../docs/metrics.md').matchAll(/^\| `callboard_\w+` \| \w+ \| (.*?) \|/gm)
    const ofTargets = [...labels].flatMap(([, names = '']) => /`(?:job|instance)`/.exec(names) ?? [])
    expect(ofTargets).toEqual(['`job`'])
    const examples = [
      textOf('compose/prometheus.yaml'),
      /```yaml\n(scrape_configs:.+?)\n```/s.exec(textOf('../docs/telemetry.md'))?.[1] ?? '',
    ]
    for (const example of examples)
      for (const scrape of parse(example).scrape_configs) expect(scrape.honor_labels, example).toBe(true)
  })

  test('pins every image to a version', () => {
    for (const [name, { image = '' }] of Object.entries(services)) expect(image, name).toMatch(/:(local|v?\d[\w.-]*)$/)
  })

  test('gives each target the time to stop that its settings ask for', () => {
    const graceOf = (env: Record<string, string>) => {
      const { services } = composeFile('compose.yaml', { ...ENV, ...env })
      return new Set(modules.map(({ name }) => services[name]?.stop_grace_period))
    }
    expect(graceOf({})).toEqual(new Set(['35s']))
    expect(graceOf({ STOP_GRACE_PERIOD: '2m' })).toEqual(new Set(['2m']))
  })

  test('names a required variable that is missing', () => {
    for (const name of Object.keys(ENV)) {
      expect(() => composeFile('compose.yaml', { ...ENV, [name]: '' })).toThrow(`${name} is not set`)
    }
  })

  test('uses only variables that .env.example names', () => {
    const example = new Set([...textOf('.env.example').matchAll(/^(?:# )?([A-Z0-9_]+)=/gm)].map(([, name]) => name))
    const files = ['compose.yaml', 'compose.nats-users.yaml', 'compose.postgres-users.yaml']
    const asked = files.flatMap((file) => [...variablesOf(textOf(file))])
    expect(asked.filter((name) => !example.has(name))).toEqual([])
  })

  test('signs in each target and the migration step as itself with compose.nats-users.yaml', () => {
    const over = composeFile('compose.nats-users.yaml', { ...ENV, ...PASSWORDS }).services
    for (const user of USERS) {
      expect(environmentOf(over[user] ?? {}).NATS_URL).toBe(`nats://${user}:p-${user}@nats:4222`)
    }
    expect(environmentOf(over.nats ?? {})).toEqual(PASSWORDS)
  })

  test('gives each target with tables its own Postgres role with compose.postgres-users.yaml, and others none', () => {
    const over = composeFile('compose.postgres-users.yaml', { ...ENV, ...ROLE_PASSWORDS }).services
    for (const { name } of modules) {
      const role = `callboard_${name.replaceAll('-', '_')}`
      const url = SIGNING_IN.includes(name) ? `postgres://${role}:q${name}@postgres:5432/callboard` : ''
      expect(environmentOf(over[name] ?? {})).toEqual({ DATABASE_URL: url })
    }
    expect(environmentOf(over.migrate ?? {})).toEqual({
      DATABASE_URL: 'postgres://callboard_migrate:qmigrate@postgres:5432/callboard',
      DATABASE_ROLE_PREFIX: 'callboard_',
    })
    expect(environmentOf(over.postgres ?? {})).toEqual(ROLE_PASSWORDS)
  })

  test.skipIf(!hasComposePlugin())('is accepted by docker compose config with all overlays', () => {
    const names = ['compose.yaml', 'compose.nats-users.yaml', 'compose.postgres-users.yaml']
    const files = names.flatMap((name) => ['-f', join(DEPLOY, name)])
    const env = { ...process.env, ...ENV, ...PASSWORDS, ...ROLE_PASSWORDS }
    const config = execFileSync('docker', ['compose', ...files, 'config', '--quiet'], { env, encoding: 'utf8' })
    expect(config).toBe('')
  })
})

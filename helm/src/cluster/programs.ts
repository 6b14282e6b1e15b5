import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { onPath } from '../chart.ts'

const MODULE = join(ROOT, 'helm/cluster')
const CACHE = join(ROOT, '.cache/cluster')

/** What a cluster is made of, each with the package of the module that it is built of. The lightest come first. */
const PACKAGES = {
  etcd: './etcd',
  kwok: 'sigs.k8s.io/kwok/cmd/kwok',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
} as const

export type ProgramName = keyof typeof PACKAGES
const NAMES = Object.keys(PACKAGES) as ProgramName[]

/** The file of each program. */
export type Programs = Readonly<Record<ProgramName, string>>

/** The version of a module that go.mod requires, such as `v1.34.4`. */
export function requiredVersion(goMod: string, module: string): string {
  const version = goMod
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([path]) => path === module)?.[1]
  if (!version) throw new Error(`go.mod does not require ${module}`)
  return version
}

const goMod = () => readFileSync(join(MODULE, 'go.mod'), 'utf8')

/** The version of Kubernetes, such as `v1.34.4`. */
export const kubernetesVersion = (): string => requiredVersion(goMod(), 'k8s.io/kubernetes')

/** Where the programs of exactly these versions stand: another go.sum is another folder. */
function folder(): string {
  const sums = createHash('sha256')
    .update(goMod())
    .update(readFileSync(join(MODULE, 'go.sum')))
  return join(CACHE, `${kubernetesVersion()}-${sums.digest('hex').slice(0, 8)}`)
}

const filesIn = (place: string) => Object.fromEntries(NAMES.map((name) => [name, join(place, name)])) as Programs

/** The programs, where all of them are built. */
export function builtPrograms(): Programs | undefined {
  const files = filesIn(folder())
  return Object.values(files).every(existsSync) ? files : undefined
}

/**
 * Builds with Go what is missing; what was built before a run was stopped stays, and so does what Go compiled.
 * @param say is told what is built and how long it took
 * @throws Error where there is no Go, or something does not build
 */
export async function buildPrograms(say: (line: string) => void): Promise<Programs> {
  if (!onPath('go'))
    throw new Error('The programs of a cluster are built with Go 1.25 or newer, and there is no go on the PATH.')
  const place = folder()
  mkdirSync(place, { recursive: true })
  const files = filesIn(place)
  const missing = NAMES.filter((name) => !existsSync(files[name]))
  for (const [at, name] of missing.entries()) {
    const version = name === 'etcd' ? requiredVersion(goMod(), 'go.etcd.io/etcd/server/v3') : kubernetesVersion()
    const wanted = name === 'kwok' ? requiredVersion(goMod(), 'sigs.k8s.io/kwok') : version
    say(`${at + 1} of ${missing.length}: ${name} ${wanted} is built …`)
    const seconds = await build(name, files[name])
    say(`${at + 1} of ${missing.length}: ${name} stands after ${seconds} s`)
  }
  return files
}

/** Builds one program beside its place and moves it there whole. @returns seconds */
async function build(name: ProgramName, file: string): Promise<number> {
  const startedAt = performance.now()
  const unfinished = `${file}.${process.pid}`
  try {
    await go(['build', '-trimpath', '-buildvcs=false', '-ldflags', ldflags(), '-o', unfinished, PACKAGES[name]])
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
  return Math.round((performance.now() - startedAt) / 1_000)
}

/** Without symbols, and with the version that the programs say of themselves: none was stamped into the sources. */
function ldflags(): string {
  const version = kubernetesVersion()
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? []
  const stamps = { gitVersion: version, gitMajor: major, gitMinor: minor }
  return [
    '-s',
    '-w',
    ...Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ')
}

function go(args: readonly string[]): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: `-mod=readonly ${process.env.GOFLAGS ?? ''}`.trim() }
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd: MODULE, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`go ${args[0]} ended with ${code}`))))
  })
}

/** What Go says of itself, such as `go1.26.8`. */
export const goVersion = (): string => execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()

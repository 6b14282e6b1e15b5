import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { parse, parseAllDocuments } from 'yaml'
import { CHART, type KubeObject, onPath } from '../src/chart.ts'

/** The current helm, built from source where Go is available; the cache's name includes the version. */
const CURRENT = '4.3.1'
const CURRENT_FOLDER = join(ROOT, `node_modules/.cache/helm-${CURRENT}`)

/**
 * The current helm, or why there is none. It is built once, when `HELM_CURRENT=1` is set (minutes on two cores), and
 * then reused.
 */
export function findCurrentHelm(): { helm: string } | { absent: string } {
  const helm = join(CURRENT_FOLDER, 'helm')
  if (existsSync(helm)) return { helm }
  if (process.env.HELM_CURRENT !== '1') return { absent: `helm ${CURRENT} is not built; HELM_CURRENT=1 builds it` }
  if (!onPath('go')) return { absent: 'there is no Go to build it with' }
  mkdirSync(CURRENT_FOLDER, { recursive: true })
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOBIN: CURRENT_FOLDER, CGO_ENABLED: '0' }
  execFileSync('go', ['install', '-ldflags=-s', `helm.sh/helm/v4/cmd/helm@v${CURRENT}`], { env, stdio: 'inherit' })
  return { helm }
}

const run = (helm: string, args: readonly string[], input = '') =>
  execFileSync(helm, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26, input })

export const lint = (helm: string, values: string): string => run(helm, ['lint', '--strict', CHART, '-f', values])

/** The names of a release and its namespace. */
interface Called {
  readonly release?: string
  readonly namespace?: string
}

/** Cache of rendered charts, by all inputs: helm takes a third of a second, and many tests need the same. */
const rendered = new Map<string, readonly KubeObject[]>()

/**
 * Renders the chart, and parses it as Kubernetes does: as YAML 1.1, where an unquoted `no` is not text.
 * @param values a file of values
 * @param more values that override those of the file
 * @throws Error with helm's own message in `stderr`
 */
export function render(helm: string, values: string, more: object = {}, called: Called = {}): KubeObject[] {
  const { release = 'cb', namespace = 'market' } = called
  const key = JSON.stringify([helm, values, more, release, namespace])
  const objects = rendered.get(key) ?? renderAnew(helm, values, more, { release, namespace })
  rendered.set(key, objects)
  return structuredClone([...objects])
}

function renderAnew(
  helm: string,
  values: string,
  more: object,
  { release, namespace }: Required<Called>,
): readonly KubeObject[] {
  const args = [
    ...['template', release, CHART, '--namespace', namespace, '--kube-version', '1.34.0'],
    ...['-f', values, '-f', '-'],
  ]
  return parseAllDocuments(run(helm, args, JSON.stringify(more)), { version: '1.1' }).flatMap((document) => {
    const [error] = document.errors
    if (error) throw error
    const object = document.toJS() as KubeObject | null
    return object ? [object] : []
  })
}

/** helm's message when it refuses to render. */
export function refusal(helm: string, values: string, more: object): string {
  try {
    render(helm, values, more)
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr ?? error)
  }
  return ''
}

export const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind)

/** The object of a kind that belongs to a target. */
export function ofTarget(objects: readonly KubeObject[], kind: string, target: string): KubeObject {
  const found = ofKind(objects, kind).find(
    ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === target,
  )
  if (!found) throw new Error(`There is no ${kind} of ${target}.`)
  return found
}

/** A file of values, parsed. */
export const valuesOf = (file: string): Record<string, Record<string, unknown>> => parse(readFileSync(file, 'utf8'))

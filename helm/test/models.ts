import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import type { KubeObject } from '../src/chart.ts'

const FOREIGN: Readonly<Record<string, string>> = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

/** The module with the model of an object. */
function moduleOf({ apiVersion }: KubeObject): string {
  const group = apiVersion.slice(0, apiVersion.lastIndexOf('/'))
  return `${FOREIGN[group] ?? 'kubernetes-models'}/${apiVersion}`
}

/**
 * Validates an object with its model.
 * @throws Error naming the field that is missing or of another type
 */
export async function validate(object: KubeObject): Promise<void> {
  const module = moduleOf(object)
  const models = (await import(module)) as Record<string, new (data: object) => { validate(): void }>
  const Model = models[object.kind]
  if (!Model) throw new Error(`${module} has no model of ${object.kind}`)
  new Model(object).validate()
}

/** The folder for modules; concurrent test files are separate processes. */
const FOLDER = join(ROOT, 'node_modules/.cache/helm-objects', String(process.pid))

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  files: ['objects.ts'],
}

/**
 * The models accept unknown fields, but their types do not. Each object becomes a literal of its type, and the compiler
 * names every field that the type does not have.
 * @returns the errors, by object name; empty when there are none
 */
export function unknownFields(named: readonly (readonly [string, KubeObject])[]): string[] {
  const lines = named.map(([, object], index) => {
    const type = `import(${JSON.stringify(moduleOf(object))}).I${object.kind}`
    return `export const object${index}: ${type} = ${JSON.stringify(object)}`
  })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(FOLDER, 'objects.ts'), `${lines.join('\n')}\n`)
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '-p', FOLDER, '--pretty', 'false'], { encoding: 'utf8', stdio: 'pipe' })
    return []
  } catch (error) {
    const said = String((error as { stdout?: unknown }).stdout)
    return said
      .trim()
      .split('\n')
      .map((line) => line.replace(/^.*objects\.ts\((\d+),\d+\): /, (_, row) => `${named[Number(row) - 1]?.[0]}: `))
  } finally {
    rmSync(FOLDER, { recursive: true })
  }
}

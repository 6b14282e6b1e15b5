import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../src/generated-files.ts'
import { hasTurbo } from '../src/turbo.ts'

/** What turbo compares before it repeats a result. Paths of a task are from its workspace. */
interface Planned {
  readonly globalCacheInputs: { readonly files: Readonly<Record<string, string>> }
  readonly tasks: readonly { readonly taskId: string; readonly inputs: Readonly<Record<string, string>> }[]
}

const run = (program: string, ...given: string[]) =>
  execFileSync(join(ROOT, 'node_modules/.bin', program), given, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })

describe.skipIf(!hasTurbo())('a kept result is repeated only for the same files', () => {
  let planned: Planned
  const inputsOf = (task: string) => Object.keys(planned.tasks.find(({ taskId }) => taskId === task)?.inputs ?? {})

  beforeAll(() => {
    planned = JSON.parse(run('turbo', 'run', 'types', 'test:unit', '--dry=json')) as Planned
  })

  test('every task depends on the versions of all packages, also of those that others bring', () => {
    expect(Object.keys(planned.globalCacheInputs.files)).toContain('package-lock.json')
  })

  test('types depend on every file of ours that the compiler reads, JSON included', () => {
    const read = run('tsc', '-p', 'tsconfig.json', '--listFilesOnly').trim().split('\n')
    const ours = read.map((file) => relative(ROOT, file)).filter((file) => !/^\.\.|node_modules\//.test(file))
    const inputs = new Set(inputsOf('//#types'))
    expect(ours.filter((file) => !inputs.has(file))).toEqual([])
  })

  test('unit tests depend on the data and the pages that they read in other folders', () => {
    const services = ['services/router/data/public-models.json', 'services/gateway/src/pages/sign-in/sign-in.client.js']
    expect(inputsOf('@callboard/all#test:unit')).toEqual(
      expect.arrayContaining(services.map((file) => relative('services/all', file))),
    )
    expect(inputsOf('@callboard/listings#test:unit')).toContain('../../docs/mirror.md')
    expect(inputsOf('@callboard/router#test:unit')).toContain('../../docs/router.md')
    expect(inputsOf('@callboard/helm#test:unit')).toEqual(
      expect.arrayContaining([
        '../docs/operating.md',
        '../bench/results/settle.json',
        '../deploy/monitoring/scaling/work.yaml',
      ]),
    )
    expect(inputsOf('@callboard/router#test:unit').filter((file) => file.includes('node_modules'))).toEqual([])
  })
})

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { findPython } from '@callboard/testkit/servers'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Instance } from '../instance.ts'
import { readings, runProgram } from './run-program.ts'

const CLIENTS = join(import.meta.dirname, 'clients')
const ROOT = join(import.meta.dirname, '../../../..')
const instance = new Instance()
let folder: string

beforeAll(async () => {
  await instance.start([], { DEMO_PORT: String(await freePort()) })
  await until('the sample listing is there', () => instance.says(/^Done\. Look|^The demonstration stopped/m), 60_000)
  folder = mkdtempSync(join(instance.folder, 'clients-'))
}, 120_000)
afterAll(() => instance.dispose())

/** What both programs read, in the words of their language. */
const READ = {
  search: { ref: 'sample-weather', payable: true },
  entry: { id: 'sample-weather', price: '0.01', method: 'GET' },
  missing: 'not_found',
  wrong: 'limit',
  offer: { amount: '1000', header: true },
  mine: { status: 401, challenge: 'Bearer' },
  keys: { status: 401, challenge: 'Cookie' },
  token: expect.stringMatching(/^invalid_(client|grant)$/),
  client: { name: 'Tools', secret: 'string' },
  removed: 204,
}

const filesBelow = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))

describe('a TypeScript client made by @hey-api/openapi-ts', () => {
  const place = () => join(folder, 'typescript')

  beforeAll(async () => {
    await createClient({
      input: `${instance.baseUrl}/openapi.json`,
      output: { path: join(place(), 'generated'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    })
    copyFileSync(join(CLIENTS, 'program.ts'), join(place(), 'program.ts'))
  }, 60_000)

  test('is generated as a handful of files', () => {
    expect(filesBelow(join(place(), 'generated')).length).toBeLessThan(30)
  })

  test('compiles in strict mode, including a program that switches over refusal codes', async () => {
    const compilerOptions = {
      ...{ target: 'es2024', module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2024', 'dom', 'dom.iterable'] },
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: false, noEmit: true },
      ...{ allowImportingTsExtensions: true, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    }
    writeFileSync(
      join(place(), 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['program.ts', 'generated'] }),
    )
    writeFileSync(join(place(), 'package.json'), JSON.stringify({ type: 'module' }))
    await runProgram(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: place() })
  }, 60_000)

  test('searches, reads, is refused and manages listings against an instance', async () => {
    const printed = await runProgram(process.execPath, ['program.ts', instance.baseUrl], { cwd: place() })
    expect(readings(printed)).toEqual(READ)
  }, 60_000)
})

const python = await findPython(join(CLIENTS, 'requirements.txt'))
const isThere = 'file' in python

describe.skipIf(!isThere)(
  `a Python client made by openapi-python-client${isThere ? '' : ` (${python.closed})`}`,
  () => {
    const place = () => join(folder, 'python')
    const runPython = (args: readonly string[], cwd: string) =>
      runProgram('file' in python ? python.file : '', ['-W', 'error', ...args], {
        cwd,
        env: 'env' in python ? python.env : {},
      })

    beforeAll(async () => {
      const document = await fetch(`${instance.baseUrl}/openapi.client.json`)
      mkdirSync(place(), { recursive: true })
      writeFileSync(join(folder, 'openapi.client.json'), await document.text())
      // It writes code for text and JSON; the icon of the pages is neither.
      const texts = ['image/svg+xml', 'application/atom+xml'].map((type) => `  ${type}: text/plain\n`)
      writeFileSync(join(folder, 'python.yaml'), `content_type_overrides:\n${texts.join('')}`)
      const from = ['--path', 'openapi.client.json', '--config', 'python.yaml', '--meta', 'none']
      const to = ['--output-path', join('python', 'generated'), '--fail-on-warning']
      await runPython(['-m', 'openapi_python_client', 'generate', ...from, ...to], folder)
      copyFileSync(join(CLIENTS, 'program.py'), join(place(), 'program.py'))
    }, 120_000)

    test('is generated without a warning, as a reasonable number of files', () => {
      const files = filesBelow(join(place(), 'generated')).filter((name) => name.endsWith('.py'))
      expect(files.length).toBeGreaterThan(200)
      expect(files.length).toBeLessThan(850)
    })

    test('compiles and imports completely, without a warning', async () => {
      const everyModule =
        'import importlib, pkgutil, generated\n' +
        "for module in pkgutil.walk_packages(generated.__path__, 'generated.'): importlib.import_module(module.name)"
      await runPython(['-c', everyModule], place())
    }, 60_000)

    test('searches, reads, is refused and manages listings against an instance; every pattern compiles in re', async () => {
      const printed = await runPython(['program.py', instance.baseUrl, join('..', 'openapi.client.json')], place())
      expect(readings(printed)).toEqual({ ...READ, patterns: true })
    }, 60_000)
  },
)

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modules } from '@callboard/all'
import { startTestServices, testDatabase } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { framesOf, REQUIRED_SETTINGS } from '../src/new-operation/frames.ts'

const ROOT = join(import.meta.dirname, '../..')
const copy = temporaryFolder('callboard-new-operation-')
const COPIED = ['libs/contract', 'libs/conformance', 'services/listings', 'services/oauth', 'tsconfig.base.json']

/** The compiler's errors for the copy, in which `@callboard/contract` is the copy's own. */
const types = () =>
  new Promise<string>((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], { cwd: copy }, (_, stdout) =>
      resolve(stdout),
    )
  })

function place(frames: ReadonlyMap<string, string>, change: (text: string) => string = (text) => text): void {
  for (const [path, text] of frames) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), change(text))
  }
}

beforeAll(() => {
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const paths = { '@callboard/contract': ['./libs/contract/src/index.ts'] }
  const config = { extends: './tsconfig.base.json', compilerOptions: { paths }, include: ['libs', 'services'] }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('npm run new:operation', { timeout: 120_000 }, () => {
  test('the compiler names exactly what is left to fill in, and accepts a completed operation', async () => {
    const services = ['listings', 'oauth'] as const
    for (const service of services) {
      const told = framesOf(copy, { service, name: 'setMark' })
      place(told, said)
      expect(told.get(`services/${service}/src/service.ts`)).toMatch(/serves: \{ setMark,/)
      place(framesOf(copy, { service, name: 'setNote' }))
    }
    const lines = (await types()).split('\n').filter((line) => /error TS/.test(line))
    const left = lines.map((line) => `${line.split('(')[0]} ${/'(THE_\w+)'/.exec(line)?.[1] ?? line}`).sort()
    expect(left).toEqual(services.flatMap(leftToSay).sort())
  })

  test('behavior: a service with all operations in one file gets the new one there', () => {
    const file = 'libs/contract/src/operations/liveness-prober.ts'
    const frames = framesOf(ROOT, { service: 'liveness-prober', name: 'setNote' })
    expect(frames.get(file)).toContain('export const setNote = operation({')
    expect(frames.has('libs/contract/src/operations/liveness-prober/set-note.ts')).toBe(false)
  })

  test('a service starts in its new test as the frame says', async () => {
    const services = modules.filter(({ name }) => existsSync(join(ROOT, `services/${name}/src/operations`)))
    expect(services.length).toBeGreaterThan(5)
    for (const module of services) {
      const settings = REQUIRED_SETTINGS[module.name] ?? {}
      const frame = framesOf(ROOT, { service: module.name, name: 'setNote' }).get(
        `services/${module.name}/test/set-note.test.ts`,
      )
      for (const [name, value] of Object.entries(settings)) expect(frame).toContain(`${name}: '${value}'`)
      const database = await testDatabase(inject('postgresUrl'))
      const started = await startTestServices([module], { databaseUrl: database.url, env: settings })
      await started.stop()
      await database.drop()
    }
  })

  test('error: an unknown service, an invalid name, and an existing operation', () => {
    expect(() => framesOf(ROOT, { service: 'shop', name: 'sell' })).toThrow(
      'shop is no service with operations: agents,',
    )
    expect(() => framesOf(ROOT, { service: 'listings', name: 'Set-Note' })).toThrow('write it like setStatus')
    expect(() => framesOf(ROOT, { service: 'listings', name: 'setStatus' })).toThrow(
      'There is listings.setStatus already',
    )
  })
})

/** The files of `setNote`, with what is left to decide. */
function leftToSay(service: 'listings' | 'oauth'): readonly string[] {
  const words = {
    [`libs/conformance/src/operations/${service}/set-note.ts`]: ['THE_GUARANTEE_OVER_HTTP', 'THE_PATH_WITH_ITS_VALUES'],
    [`libs/contract/src/examples/${service}.ts`]: ['THE_EXAMPLE_INPUT', 'THE_EXAMPLE_OUTPUT'],
    [`libs/contract/src/operations/${service}/set-note.ts`]: [
      ...['THE_INPUT_SCHEMA', 'THE_OUTPUT_SCHEMA', 'THE_PATH', 'THE_SUMMARY'],
    ],
    [`services/${service}/src/operations/set-note.ts`]: ['THE_ANSWER'],
    [`services/${service}/test/set-note.test.ts`]: ['THE_EXPECTED_ANSWER', 'THE_GUARANTEE', 'THE_INPUT'],
  }
  return Object.entries(words).flatMap(([file, names]) => names.map((name) => `${file} ${name}`))
}

/** What a developer would write, as short as possible. */
function said(text: string): string {
  const words: Readonly<Record<string, string>> = {
    THE_SUMMARY: "'Set a note'",
    THE_PATH: "'/api/mark'",
    THE_INPUT_SCHEMA: 'z.object({})',
    THE_OUTPUT_SCHEMA: 'z.object({})',
    'async (input, ctx) => THE_ANSWER(input, ctx)': 'async () => ({})',
    THE_GUARANTEE: "'it is set'",
    THE_GUARANTEE_OVER_HTTP: "'it is set'",
    THE_PATH_WITH_ITS_VALUES: "'/api/mark'",
    THE_INPUT: '{}',
    THE_EXPECTED_ANSWER: '{}',
    THE_EXAMPLE_INPUT: '{}',
    THE_EXAMPLE_OUTPUT: '{}',
  }
  let filled = text
  for (const name of Object.keys(words).sort((one, other) => other.length - one.length)) {
    filled = filled.replaceAll(name, words[name] ?? '')
  }
  const needsZod = filled.includes('z.object') && !filled.includes("from 'zod'")
  return needsZod ? `import { z } from 'zod'\n${filled}` : filled
}

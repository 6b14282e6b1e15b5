import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ROOT } from '../src/packages/published.ts'

/** Packages whose README has a program and its output; that of libs/client runs in packages.test.ts, installed. */
const WITH_PROGRAM = ['libs/bus', 'libs/contract', 'libs/runtime', 'libs/store']
const ALL = [...WITH_PROGRAM, 'libs/client', 'cli']

const readmeOf = (workspace: string) => readFileSync(join(ROOT, workspace, 'README.md'), 'utf8')
const blockOf = (language: string, text: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? ''

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

describe.each(WITH_PROGRAM)('the README of %s', (workspace) => {
  test('its program prints the output that it shows', { timeout: 60_000 }, async () => {
    const [program, printed] = ['ts', 'text'].map((language) => blockOf(language, readmeOf(workspace)))
    const given = ['--input-type=module-typescript', '--eval', program ?? '']
    const env = { ...process.env, DATABASE_URL: database.url }
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: join(ROOT, workspace), env })
    expect(stdout).not.toBe('')
    expect(stdout).toBe(printed)
  })
})

describe.each(ALL)('the README of %s', (workspace) => {
  test('the files that it names exist, and it is at most a page long', () => {
    const text = readmeOf(workspace)
    const named = [...text.matchAll(/`((?:src|test)\/[^`]*)`/g)].map(([, file = '']) => file)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((file) => !existsSync(join(ROOT, workspace, file)))).toEqual([])
    expect(text.split('\n').length).toBeLessThan(100)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ConfigError, readLiveConfigs, rotates, secret } from './config.ts'
import { sameServer } from './same-server.ts'

const Service = z.object({
  KEYS: rotates(z.string().transform((text) => text.split(','))).describe('Keys.'),
  ONCE: secret(z.string().min(4)).optional(),
  SERVER: rotates(z.string(), sameServer).optional(),
})
const Other = z.object({ KEYS: rotates(z.string().min(3)) })

let folder: string
const put = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const problemsOf = (env: Record<string, string>) => {
  try {
    readLiveConfigs([Service], env)
  } catch (error) {
    return (error as ConfigError).problems
  }
  throw new Error('the settings were taken')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('settings in files', () => {
  test('default: NAME_FILE gives NAME, without the trailing newline', () => {
    const { configs } = readLiveConfigs([Service], { KEYS_FILE: put('keys', 'a,b\n'), ONCE_FILE: put('once', 'only') })
    expect(configs[0]).toEqual({ KEYS: ['a', 'b'], ONCE: 'only' })
    expect(Object.isFrozen(configs[0])).toBe(true)
  })

  test('error: a duplicate, a missing file and an empty one are each reported by name', () => {
    const path = put('keys', 'a')
    expect(problemsOf({ KEYS: 'b', KEYS_FILE: path })).toEqual([
      { setting: 'KEYS', reason: 'is given twice: by KEYS and by KEYS_FILE; give one' },
    ])
    const missing = join(folder, 'missing')
    expect(problemsOf({ KEYS_FILE: missing, ONCE_FILE: put('once', '\n') })).toEqual([
      { setting: 'KEYS_FILE', reason: `${missing} cannot be read (ENOENT)` },
      { setting: 'ONCE_FILE', reason: `${join(folder, 'once')} is empty` },
    ])
  })

  test('error: a bad value from a file is reported under its setting, naming the file’s setting', () => {
    expect(problemsOf({ KEYS: 'a', ONCE_FILE: put('once', 'abc') })).toEqual([
      { setting: 'ONCE', reason: expect.stringMatching(/\(its text comes from the file of ONCE_FILE\)$/) },
    ])
    expect(problemsOf({ KEYS: 'a', ONCE: 'abc' })).toEqual([
      { setting: 'ONCE', reason: expect.not.stringContaining('ONCE_FILE') },
    ])
  })
})

describe('LiveSettings', () => {
  test('default: every configuration receives a new value, once', () => {
    const { configs, live } = readLiveConfigs([Service, Other], { KEYS_FILE: put('keys', 'abc') })
    expect(live.look()).toEqual([])
    put('keys', 'abc,def')
    expect(live.look()).toEqual([{ setting: 'KEYS' }])
    expect(configs.map((config) => config.KEYS)).toEqual([['abc', 'def'], 'abc,def'])
    expect(live.look()).toEqual([])
  })

  test('behavior: a value that one reader refuses reaches none; it is reported once, and a later good one serves', () => {
    const { configs, live } = readLiveConfigs([Service, Other], { KEYS_FILE: put('keys', 'abc') })
    put('keys', 'a')
    expect(live.look()).toMatchObject([{ setting: 'KEYS', refused: expect.stringContaining('3') }])
    expect(live.look()).toEqual([])
    expect(live.refusal('KEYS')).toBeDefined()
    expect(configs.map((config) => config.KEYS)).toEqual([['abc'], 'abc'])
    put('keys', 'xyz')
    expect(live.look()).toEqual([{ setting: 'KEYS' }])
    expect(live.refusal('KEYS')).toBeUndefined()
    expect(configs[1]?.KEYS).toBe('xyz')
  })

  test('behavior: a missing file keeps the last value', () => {
    const path = put('keys', 'abc')
    const { configs, live } = readLiveConfigs([Service], { KEYS_FILE: path })
    rmSync(path)
    expect(live.look()).toEqual([{ setting: 'KEYS', refused: `${path} cannot be read (ENOENT)` }])
    expect(configs[0]?.KEYS).toEqual(['abc'])
  })

  test('behavior: only rotating settings that come from a file are watched', () => {
    const { live } = readLiveConfigs([Service], { KEYS: 'abc', ONCE_FILE: put('once', 'only') })
    expect(live.settings).toEqual([])
    put('once', 'other')
    expect(live.look()).toEqual([])
  })
})

describe('sameServer', () => {
  test.each([
    ['a password', 'nats://u:1@a:4222,nats://u:1@b:4222', 'nats://u:2@a:4222, nats://u:2@b:4222'],
    ['a user', 'postgres://one:1@db/callboard?sslmode=require', 'postgres://two:2@db/callboard?sslmode=require'],
    ['a first password', 'redis://cache:6379', 'redis://:secret@cache:6379'],
  ])('default: %s changes', (_, before, now) => {
    expect(sameServer(before, now)).toBeUndefined()
  })

  test.each([
    ['another host', 'postgres://u:p@db/callboard', 'postgres://u:p@other/callboard'],
    ['another database', 'postgres://u:p@db/callboard', 'postgres://u:p@db/other'],
    ['one server less', 'nats://u:p@a,nats://u:p@b', 'nats://u:p@a'],
  ])('error: %s', (_, before, now) => {
    expect(sameServer(before, now)).toContain('another server')
  })
})

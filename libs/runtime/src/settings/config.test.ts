import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, envBoolean, envInt, printable, readConfigs, secret } from '../index.ts'

const First = z.object({
  PORT: envInt(1, 65_535).default(80).describe('A port.'),
  KEY: secret(z.string().min(8)).describe('A key.'),
})
const Second = z.object({ OPEN: envBoolean.default(false), KEY: secret(z.string().min(8)) })

describe('readConfigs', () => {
  test('default: given values and defaults, frozen', () => {
    const [first, second] = readConfigs([First, Second], { KEY: 'long enough', OPEN: '1' })
    expect(first).toEqual({ PORT: 80, KEY: 'long enough' })
    expect(second).toEqual({ OPEN: true, KEY: 'long enough' })
    expect(Object.isFrozen(first)).toBe(true)
  })

  test('error: every problem of every schema is reported together, once per setting', () => {
    const read = () => readConfigs([First, Second], { PORT: 'ninety', OPEN: 'perhaps' })
    expect(read).toThrow(ConfigError)
    try {
      read()
    } catch (error) {
      const { problems } = error as ConfigError
      expect(problems.map(({ setting }) => setting).sort()).toEqual(['KEY', 'OPEN', 'PORT'])
      expect(problems.find(({ setting }) => setting === 'KEY')?.reason).toBe('is required')
    }
  })

  test('behavior: an empty variable counts as absent', () => {
    expect(readConfigs([First], { PORT: '', KEY: 'long enough' })[0]).toMatchObject({ PORT: 80 })
  })
})

test('printable: secrets are masked, whatever schema wraps them', () => {
  const Wrapped = z.object({ A: secret(z.string()).optional(), B: secret(z.string()), C: z.string() })
  expect(printable(Wrapped, { A: 'x', B: 'y', C: 'z' })).toEqual([
    ['A', '********'],
    ['B', '********'],
    ['C', 'z'],
  ])
})

test('printable: of URLs that hold keys, the origin is shown, and of others no sign-in', () => {
  const Endpoints = z.object({
    NODES: z.record(z.string(), z.array(z.string())).optional().meta({ keysInUrls: true }),
    NODE: z.string().meta({ keysInUrls: true }),
    TRACES: z.url().optional(),
  })
  const values = {
    NODES: {
      a: ['https://u:pass-1@one.example:8545/v2/key-1?k=key-2', 'http://two.example', 'https://three.example/'],
    },
    NODE: 'wss://four.example?key-3',
    TRACES: 'https://user:p@ss-2@traces.example:4318/v1?a=b@c',
  }
  expect(printable(Endpoints, values)).toEqual([
    ['NODES', '{"a":["https://one.example:8545/********","http://two.example","https://three.example"]}'],
    ['NODE', 'wss://four.example/********'],
    ['TRACES', 'https://********@traces.example:4318/v1?a=b@c'],
  ])
})

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { type ConfigError, readConfigs } from './config.ts'
import { RuntimeConfig } from './settings.ts'

const Servers = RuntimeConfig.pick({ DATABASE_URL: true, NATS_URL: true, REDIS_URL: true })
const POSTGRES = 'postgres://user:word@db/callboard'

function problemsOf(more: Record<string, string>): unknown {
  try {
    return readConfigs([Servers as unknown as z.ZodObject], { DATABASE_URL: POSTGRES, ...more })[0]
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test.each([
  ['DATABASE_URL', POSTGRES],
  ['DATABASE_URL', 'postgresql://user:half%23half@db:5432/callboard?sslmode=disable'],
  ['DATABASE_URL', 'postgres://user@localhost:5432/callboard?host=%2Frun%2Fpostgres'],
  ['DATABASE_URL', 'postgres://user@%2Frun%2Fpostgres/callboard'],
  ['NATS_URL', 'nats://user:word@one:4222,nats://user:word@two:4222'],
  ['NATS_URL', 'one:4222, two:4222'],
  ['REDIS_URL', 'rediss://:half%2Fhalf@redis:6379/1'],
])('%s may be %s', (setting, url) => expect(problemsOf({ [setting]: url })).toMatchObject({ [setting]: url }))

test.each([
  ['DATABASE_URL', 'mysql://user:half@db/callboard', /^must be a postgres:\/\/ URL$/],
  ['DATABASE_URL', 'postgres://user:half#other@db/callboard', /^cannot be read as a URL: /],
  ['DATABASE_URL', 'postgres://user:half/other@db/callboard', /^cannot be read as a URL: /],
  ['NATS_URL', 'nats://user:half#other@one:4222', /^cannot be read as a URL: /],
  ['NATS_URL', 'nats://user:half%other@one:4222', /^cannot be read as a URL: /],
  ['NATS_URL', 'nats://user:half@one,nats://other:half@two', /names several users/],
  ['REDIS_URL', 'redis://:half%other@redis', /^cannot be read as a URL: /],
])('%s is refused by name, and not quoted, if it is %s', (setting, url, reason) => {
  const problems = problemsOf({ [setting]: url })
  expect(problems).toEqual([{ setting, reason: expect.stringMatching(reason) }])
  expect(JSON.stringify(problems)).not.toContain('other@')
})

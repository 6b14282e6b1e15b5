import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { expect, test } from 'vitest'
import { modules } from '../src/index.ts'
import { importTarget, serviceNames } from '../src/services.ts'

const SERVICES = join(import.meta.dirname, '../src/services.ts')

/** The service packages that a process has loaded once it has imported what `TARGET` names. */
async function roomsRead(target: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from 'node:module'
    const rooms = new Set()
    registerHooks({ load(url, context, next) {
      const room = /\\/services\\/([^/]+)\\/src\\//.exec(url)?.[1]
      if (room) rooms.add(room)
      return next(url, context)
    } })
    const { importTarget } = await import(${JSON.stringify(SERVICES)})
    await importTarget(${JSON.stringify(target)})
    console.log(JSON.stringify([...rooms].sort()))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout) as string[]
}

const namesOf = async (target: string) => (await importTarget(target)).map(({ name }) => name)

test('a process loads the services that it runs, and no others', async () => {
  expect(await roomsRead('oauth,chain-indexer')).toEqual(['all', 'chain-indexer', 'oauth'])
}, 30_000)

test('every service has its own name, and starts after those that it calls', async () => {
  expect(await namesOf('all')).toEqual(serviceNames)
  expect(modules.map(({ name }) => name)).toEqual(serviceNames)
  expect(await namesOf('gateway, oauth')).toEqual(['oauth', 'gateway'])
})

test('an unknown target is refused with the list of known ones', async () => {
  await expect(importTarget('oauth,shop')).rejects.toThrow(
    `TARGET names unknown services: shop. Known: all, ${serviceNames.join(', ')}.`,
  )
})

test('a process that has not started yet ends on SIGTERM by itself, as the first one of a container has to', async () => {
  const [nothing, PORT] = [`127.0.0.1:${await freePort()}`, String(await freePort())]
  const env = { PATH: process.env.PATH, TARGET: 'gateway', PORT, ADMIN_PORT: '0' }
  const given = { BASE_URL: 'https://one.example', NATS_URL: `nats://${nothing}`, REDIS_URL: `redis://${nothing}` }
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main, '--no-demo'], { env: { ...env, ...given, MIGRATIONS: 'wait' } })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  try {
    await until('it asks for Redis', () => said.includes('redis is unavailable'))
    child.kill('SIGTERM')
    expect(await ended).toEqual([128 + constants.signals.SIGTERM, null])
  } finally {
    child.kill('SIGKILL')
  }
}, 30_000)

import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../test/parent.ts'
import { choosePort, freePort, portTaken, requireFreePort } from './ports.ts'

async function listenOn(port: number) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

test('a port is taken while something listens on it', async () => {
  const port = await freePort()
  expect(await portTaken(port)).toBe(false)
  await using _ = await listenOn(port)
  expect(await portTaken(port)).toBe(true)
})

test('no port is handed out twice, even when 300 are requested at once', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort))
  expect(new Set(ports).size).toBe(300)
})

test('error: a taken port is refused, naming the setting that changes it', async () => {
  const port = await freePort()
  await using _ = await listenOn(port)
  await expect(requireFreePort(port, 'CALLBOARD_PORT')).rejects.toThrow(
    `Port ${port} is taken: end the program that listens on it, or set CALLBOARD_PORT to another port.`,
  )
})

test.each([Number.NaN, 70_000, -1, 80.5])(
  'error: %s is no port, and the setting that gives it is named',
  async (port) => {
    await expect(requireFreePort(port, 'PORT')).rejects.toThrow('PORT must be a port, 0 to 65535.')
  },
)

test('the previous port is chosen again, and another one only while it is taken', async () => {
  const memory = join(tempFolder(), 'port')
  const first = await choosePort({ setting: 'PORT', memory })
  expect(await choosePort({ setting: 'PORT', memory })).toBe(first)
  await using _ = await listenOn(first)
  const second = await choosePort({ setting: 'PORT', memory })
  expect(second).not.toBe(first)
  expect(Number(readFileSync(memory, 'utf8'))).toBe(second)
})

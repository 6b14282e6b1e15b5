import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../test/parent.ts'
import { choosePort, freePort, onChosenPort, type PortChoice, portTaken, requireFreePort } from './ports.ts'

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

describe('a start on a chosen port', () => {
  /** Starts what needs its port free; a program takes it between the choice and the first `thefts` starts. */
  async function startedOn({ thefts, ...choice }: PortChoice & { thefts: number }) {
    await using programs = new AsyncDisposableStack()
    const tried: number[] = []
    const start = onChosenPort(async (choose) => {
      const port = await choose(choice)
      tried.push(port)
      if (tried.length <= thefts) programs.use(await listenOn(port))
      await requireFreePort(port, choice.setting)
      return port
    })
    return { port: await start.catch((error: Error) => error.message), tried }
  }
  const setting = 'PORT'

  test('goes on with another port where a program took it before it listened, and remembers that one', async () => {
    const memory = join(tempFolder(), 'port')
    const { port, tried } = await startedOn({ setting, memory, thefts: 2 })
    expect(port).toBe(tried[2])
    expect(new Set(tried).size).toBe(3)
    expect(Number(readFileSync(memory, 'utf8'))).toBe(port)
  })

  test('fails where its port was given, or when programs take each', async () => {
    const given = await freePort()
    expect(await startedOn({ setting, port: given, thefts: 1 })).toEqual({
      port: expect.stringContaining(`Port ${given} is taken`),
      tried: [given],
    })
    expect((await startedOn({ setting, thefts: 9 })).tried).toHaveLength(5)
  })

  test('is not repeated after a failure that has nothing to do with the port', async () => {
    let starts = 0
    const start = onChosenPort(async (choose) => {
      await choose({ setting })
      throw new Error(`start ${++starts}`)
    })
    await expect(start).rejects.toThrow('start 1')
  })
})

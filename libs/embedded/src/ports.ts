import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/**
 * The ports to choose from are below every system's ephemeral range: the kernel may give an ephemeral port to an
 * outgoing connection between our check and the moment a child listens on it.
 */
const FIRST = 20_000
const COUNT = 12_000
const LAST = 65_535

/** Whether something listens on this loopback port. */
export async function portTaken(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host: HOST, exclusive: true }, resolve)
    })
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true
    throw new Error(`Port ${port} cannot be opened on ${HOST}.`, { cause: error })
  } finally {
    server.close()
  }
}

/** Ports that were assigned here, on which a process may not listen yet. */
const given = new Set<number>()

/**
 * Returns a loopback port on which nothing listens and that was not assigned before, at random so that two processes
 * rarely choose the same.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (given.has(port)) continue
    given.add(port)
    if (!(await portTaken(port))) return port
  }
  throw new Error(`No free port was found on ${HOST} between ${FIRST} and ${FIRST + COUNT - 1}.`)
}

/**
 * Throws when the port is taken or is none, naming the setting that changes it.
 * @param setting for example "CALLBOARD_PORT"
 */
export async function requireFreePort(port: number, setting: string): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > LAST) throw new Error(`${setting} must be a port, 0 to ${LAST}.`)
  if (await portTaken(port)) {
    throw new Error(`Port ${port} is taken: end the program that listens on it, or set ${setting} to another port.`)
  }
}

/** Where a child listens: the given port, or else the previous one, or else a free one. */
export interface PortChoice {
  readonly port?: number | undefined
  /** The setting that changes a given port. */
  readonly setting: string
  /** Remembers the chosen port for the next start; absent for throw-away children. */
  readonly memory?: string | undefined
}

export async function choosePort({ port, setting, memory }: PortChoice): Promise<number> {
  if (port !== undefined) {
    await requireFreePort(port, setting)
    return port
  }
  const last = memory === undefined ? undefined : rememberedPort(memory)
  if (last !== undefined && !(await portTaken(last))) {
    // Another child of this process may be looking for a port before the one for this listens.
    given.add(last)
    return last
  }
  const chosen = await freePort()
  if (memory !== undefined) writeFileSync(memory, `${chosen}\n`)
  return chosen
}

/** Enough for other programs' ports; more attempts would only hide what else is wrong. */
const MOST_STARTS = 5

/**
 * Starts what listens on a port that it chooses. If another program takes the port after the choice, it is started again
 * on another one, unless the port was given.
 * @param start chooses at most one port
 */
export async function onChosenPort<T>(
  start: (choose: (choice: PortChoice) => Promise<number>) => Promise<T>,
): Promise<T> {
  for (let left = MOST_STARTS; ; left--) {
    let chosen: number | undefined
    const choose = async (choice: PortChoice) => {
      const port = await choosePort(choice)
      if (choice.port === undefined) chosen = port
      return port
    }
    try {
      return await start(choose)
    } catch (error) {
      if (chosen === undefined || left === 1 || !(await portTaken(chosen))) throw error
    }
  }
}

function rememberedPort(memory: string): number | undefined {
  try {
    const port = Number(readFileSync(memory, 'utf8'))
    return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined
  } catch {
    return undefined
  }
}

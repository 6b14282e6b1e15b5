import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { tcpServer } from '../servers.ts'
import type { Runner } from './hosts.ts'

/** Running sellers, by name. */
export interface Sellers {
  readonly origins: Readonly<Record<string, string>>
  close(): Promise<void>
}

const HERE = import.meta.dirname
const MAX_SAID = 4_000

/**
 * Starts sellers in one process, which prints their origins as its first line.
 * @param env the terms on which they sell
 */
export async function startSellers(
  { file, env: own, folder, serve }: Runner,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Sellers> {
  const child = spawn(file, [...(serve ? [serve] : []), ...names], {
    cwd: folder,
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((done) => void child.once('close', () => done()))
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes).slice(-MAX_SAID)
  })
  const close = async () => {
    child.kill()
    await ended
  }
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume()
    return { origins: JSON.parse(line), close }
  }
  await ended
  throw new Error(`The sellers ${names.join(', ')} did not start: ${said}`)
}

/** Serves recorded answers from `recorded`, each for any request. */
export async function startRecorded(names: readonly string[]): Promise<Sellers> {
  const servers = await Promise.all(
    names.map(async (name) => {
      const answer = readFileSync(join(HERE, 'recorded', `${name}.http`))
      const server = await tcpServer((socket) => void socket.once('data', () => socket.end(answer)))
      return { name, server }
    }),
  )
  return {
    origins: Object.fromEntries(servers.map(({ name, server }) => [name, server.origin])),
    close: async () => void (await Promise.all(servers.map(({ server }) => server.close()))),
  }
}

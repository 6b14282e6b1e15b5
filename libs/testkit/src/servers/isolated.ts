import { rmSync } from 'node:fs'
import type { Child, ChildExit } from '@callboard/embedded'
import { serverFolder } from '../temporary-folder.ts'
import type { Way } from './found.ts'
import type { NoProgram, Program } from './programs.ts'

/** A server that belongs to one test, which may kill, pause and restart it. */
export interface IsolatedServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Settles once it has ended, for any reason. */
  readonly exited: Promise<ChildExit>
  signal(signal: NodeJS.Signals): void
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
  /** Pauses it: connections stay open and nothing answers. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export const isolated = (url: string, port: number, child: Child): IsolatedServer => ({
  url,
  port,
  pid: child.pid,
  exited: child.exited,
  signal: child.signal,
  async kill() {
    child.signal('SIGKILL')
    await child.exited
  },
  pause: () => child.signal('SIGSTOP'),
  resume: () => child.signal('SIGCONT'),
  async stop() {
    child.signal('SIGCONT')
    await child.stop()
  },
})

/** Starts a program on a temporary folder that is removed with it. */
export const byProgram =
  (
    find: () => Promise<Program | NoProgram> | Program | NoProgram,
    start: (program: Program, folder: string) => Promise<IsolatedServer>,
  ): Way =>
  async () => {
    const program = await find()
    if ('closed' in program) return program
    const folder = serverFolder('callboard-server-')
    const clear = () => rmSync(folder, { recursive: true, force: true })
    try {
      const server = await start(program, folder)
      const stop = async () => {
        await server.stop()
        clear()
      }
      return { kind: 'running', url: server.url, how: program.how, folder, stop }
    } catch (error) {
      clear()
      return { closed: `${program.how} did not start (${error instanceof Error ? error.message : error})` }
    }
  }

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** The entry point in this checkout. */
export const MAIN = join(import.meta.dirname, '../../../services/all/src/main.ts')
/** Many processes may start at once, sharing the machine's cores. */
const READY_MS = 90_000
const LOOK_MS = 50
/** The interval of polls before a process has said that it is ready. */
const STARTING_MS = 1_000
/** The lines of its output that are quoted if it ends before it is ready. */
const LAST_LINES = 12
/** What it prints when it is ready. */
const READY = /^Ready after /
/** Short, so that the balancer notices at once that a gateway drains. */
const LOOK_AGAIN_MS = 4 * LOOK_MS

export interface MemberSettings {
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly adminPort: number
  /** The port on which a gateway listens. */
  readonly port: number
  /** The entry point; ours when absent. */
  readonly main?: string | undefined
  /** Arguments of node itself, such as `--import FILE`. */
  readonly execArgs?: readonly string[]
  /** Called with each line that the process prints. */
  readonly log?: ((line: string) => unknown) | undefined
  /** Milliseconds between polls of a ready gateway; 200 when absent. Other services are polled by whoever asks. */
  readonly lookAgainMs?: number | undefined
}

/** One process of one service, which may be stopped, killed, paused and restarted. */
export class Member {
  readonly target: string
  readonly port: number
  readonly adminUrl: string
  readonly #settings: MemberSettings
  #child: ChildProcess | undefined
  #ready = false
  #printed: readonly string[] = []

  constructor(settings: MemberSettings) {
    this.#settings = settings
    this.target = settings.target
    this.port = settings.port
    this.adminUrl = `http://127.0.0.1:${settings.adminPort}`
  }

  /** Whether the last `/readyz` said ready. */
  get ready(): boolean {
    return this.#ready
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The last lines that it printed. */
  get lastLines(): string {
    return this.#printed.join('\n')
  }

  /** The signal that ended it; null when it ended by itself. */
  get endedBy(): NodeJS.Signals | null | undefined {
    return this.#child?.signalCode
  }

  /**
   * Starts the process and waits until it is ready.
   * @param env settings that differ this time
   * @param main the entry point this time
   */
  async start(env: NodeJS.ProcessEnv = {}, main = this.#settings.main ?? MAIN): Promise<void> {
    const { target, execArgs = [], adminPort, log } = this.#settings
    const child = spawn(process.execPath, [...execArgs, main, '--no-demo'], {
      env: { ...this.#settings.env, PORT: String(this.port), ADMIN_PORT: String(adminPort), TARGET: target, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const said = Promise.withResolvers<void>()
    const printed: string[] = []
    this.#printed = printed
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (READY.test(line)) said.resolve()
        printed.splice(0, printed.push(line) - LAST_LINES)
        if (line.trim() !== '') log?.(`${target} ${child.pid}: ${line}`)
      })
    }
    child.once('exit', (code, signal) => {
      this.#ready = false
      // It cannot say so itself, and the others only find it absent.
      if (code !== 0) log?.(`${target} ${child.pid}: ended with ${signal ?? `code ${code}`}`)
    })
    void this.#watch(child, said.promise)
    const deadline = performance.now() + READY_MS
    while (!this.#ready) {
      if (!this.running)
        throw new Error(
          `${target} ended with ${child.exitCode ?? child.signalCode} before it was ready:\n${printed.join('\n')}`,
        )
      if (performance.now() > deadline) throw new Error(`${target} was not ready within ${READY_MS / 1000} s.`)
      await wait(LOOK_MS)
    }
  }

  /** Polls its readiness as a cluster would: until it is ready, and for a gateway as long as it lives. */
  async #watch(child: ChildProcess, said: Promise<void>): Promise<void> {
    const { lookAgainMs = LOOK_AGAIN_MS } = this.#settings
    let hasSaid = false
    void said.then(() => {
      hasSaid = true
    })
    while (child.exitCode === null && child.signalCode === null) {
      const isReady = await this.look()
      if (isReady && this.target !== 'gateway') return
      if (isReady || hasSaid) await wait(isReady ? lookAgainMs : LOOK_MS)
      else await Promise.race([said, wait(STARTING_MS)])
    }
  }

  /** Polls `/readyz` now. */
  async look(): Promise<boolean> {
    const child = this.#child
    const answer = await fetch(`${this.adminUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    this.#ready = answer?.ok === true && child === this.#child && this.running
    return this.#ready
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Sends a signal and waits until the process is gone. @returns its exit code; null when it was killed */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (!child || !this.running) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return child.exitCode
  }
}

/** Whether all of them are ready now. */
export const allReady = async (members: readonly Member[]): Promise<boolean> =>
  (await Promise.all(members.map((member) => member.look()))).every(Boolean)

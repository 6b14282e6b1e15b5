import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** The entry of this checkout. */
export const MAIN = join(import.meta.dirname, '../../../services/all/src/main.ts')
/** Many processes may start at once, and share the machine's cores while they do. */
const READY_MS = 90_000
const LOOK_MS = 50
/** Between looks at one that has not said yet that it is ready. */
const STARTING_MS = 1_000
/** Of what it printed, said where it ends before it is ready. */
const LAST_LINES = 12
/** What it prints then. */
const READY = /^Ready after /
/** So that the balancer sees at once that a gateway drains. */
const LOOK_AGAIN_MS = 4 * LOOK_MS

export interface MemberSettings {
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly adminPort: number
  /** Where a gateway listens. */
  readonly port: number
  /** The entry that is run; ours when absent. */
  readonly main?: string | undefined
  /** Arguments of node itself, such as `--import FILE`. */
  readonly execArgs?: readonly string[]
  /** Called with each line that the process prints. */
  readonly log?: ((line: string) => unknown) | undefined
  /** Milliseconds between looks at a gateway that is ready; 200 when absent. Others are looked at by who asks. */
  readonly lookAgainMs?: number | undefined
}

/** One process of one service, which may be stopped, killed, paused and started again. */
export class Member {
  readonly target: string
  readonly port: number
  readonly adminUrl: string
  readonly #settings: MemberSettings
  #child: ChildProcess | undefined
  #ready = false

  constructor(settings: MemberSettings) {
    this.#settings = settings
    this.target = settings.target
    this.port = settings.port
    this.adminUrl = `http://127.0.0.1:${settings.adminPort}`
  }

  /** Whether `/readyz` said yes when it was last asked. */
  get ready(): boolean {
    return this.#ready
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /**
   * Starts the process and waits until it is ready.
   * @param env what differs from its settings this time
   * @param main the entry that is run this time
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
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (READY.test(line)) said.resolve()
        if (!this.#ready) printed.splice(0, printed.push(line) - LAST_LINES)
        if (line.trim() !== '') log?.(`${target} ${child.pid}: ${line}`)
      })
    }
    child.once('exit', () => {
      this.#ready = false
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

  /** Asks for its readiness as a cluster would: until it is ready, and of a gateway for as long as it lives. */
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

  /** Asks `/readyz` now. */
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

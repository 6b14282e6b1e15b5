import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { inject } from 'vitest'

/** What `npm start` runs, for tests of its start; all others use a bundle, which is faster. */
export const SOURCE = join(import.meta.dirname, '../src/main.ts')

/** Our environment without vitest's `BASE_URL`. */
export const environment = (): NodeJS.ProcessEnv => {
  const { BASE_URL: _, ...rest } = process.env
  return rest
}

export interface DevnetFile {
  readonly rpcUrl: string
  readonly chainId: number
  readonly network: `eip155:${number}`
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
  readonly splitterFactory: `0x${string}`
  readonly treasury: `0x${string}`
  readonly stake: `0x${string}`
  readonly stakeToken: `0x${string}`
  readonly burnLedger: `0x${string}`
  readonly identityRegistry: `0x${string}`
  readonly reputationRegistry: `0x${string}`
  readonly mnemonic: string
  readonly baseUrl: string
  readonly facilitatorUrl: string
}

/** A whole instance as `npm start` runs it, in a process of its own, on a data folder of its own. */
export class Instance {
  readonly folder = serverFolder('callboard-instance-')
  baseUrl = ''
  #port = 0
  #child: ChildProcess | undefined
  #output = ''
  readonly #main: string
  /** Copied into the folder at the first start. */
  #data: string | null

  /**
   * @param main the file that node runs
   * @param data for the first start, as made by `prepareData`; null for none, like a person's first start
   */
  constructor(main = join(inject('programs'), 'main.mjs'), data = main === SOURCE ? null : inject('preparedData')) {
    this.#main = main
    this.#data = data
  }

  /** An instance whose first start creates everything, including its chain. */
  static onNothing = (): Instance => new Instance(join(inject('programs'), 'main.mjs'), null)

  /** Starts it, or restarts it on what it left behind. */
  async start(flags: readonly string[] = ['--no-demo'], env: Record<string, string> = {}): Promise<void> {
    this.#port ||= await freePort()
    this.baseUrl = `http://127.0.0.1:${this.#port}`
    this.#output = ''
    if (this.#data) await copyPrepared(this.#data, this.folder)
    this.#data = null
    const child = spawn(process.execPath, [this.#main, ...flags], {
      env: { ...environment(), PORT: String(this.#port), CALLBOARD_DATA: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const note = (chunk: Buffer) => {
      this.#output += chunk.toString()
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    await until('the instance is ready', () => this.says(/^Ready after/m) || this.#ended(), 60_000)
    if (child.exitCode !== null) throw new Error(`The instance ended with ${child.exitCode}:\n${this.#output}`)
  }

  #ended = () => this.#child?.exitCode !== null

  /** What it has printed since its last start. */
  get output(): string {
    return this.#output
  }

  says = (pattern: RegExp): boolean => pattern.test(this.#output)

  get runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number {
    const pid = this.#child?.pid
    if (pid === undefined) throw new Error('The instance does not run')
    return pid
  }

  get devnet(): DevnetFile {
    return JSON.parse(readFileSync(join(this.folder, 'devnet.json'), 'utf8')) as DevnetFile
  }

  /** The URL of its Postgres, for direct queries. */
  get databaseUrl(): string {
    const file = JSON.parse(readFileSync(join(this.folder, 'instance.json'), 'utf8')) as {
      env: { DATABASE_URL: string }
    }
    return file.env.DATABASE_URL
  }

  /** Ends it with a signal and waits for the process to be gone. @returns its exit code, null when killed */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return child.exitCode
  }

  /** Ends it and removes its data. */
  async dispose(): Promise<void> {
    await this.end()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

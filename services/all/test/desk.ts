import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { environment, type Instance } from './instance.ts'

export const ROOT = join(import.meta.dirname, '../../..')
export const EXAMPLES = join(ROOT, 'docs/examples')

/** Runs a program to its end. @returns what it printed */
export const run = async (program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  (await promisify(execFile)(program, words, { env, cwd: ROOT })).stdout.trim()

/** The private key of an account of the instance's chain. */
export const privateKeyOf = ({ devnet }: Instance, addressIndex: number): Hex =>
  toHex(mnemonicToAccount(devnet.mnemonic, { addressIndex }).getHdKey().privateKey ?? new Uint8Array())

/** The working place of a person who follows a guide: a folder of their own, and the instance's devnet file. */
export class Desk {
  readonly env: NodeJS.ProcessEnv
  readonly #program: string
  readonly #folder: string
  readonly #ending: string

  constructor(
    instance: Instance,
    language: 'typescript' | 'python' = 'typescript',
    program = process.execPath,
    env: NodeJS.ProcessEnv = {},
  ) {
    this.#program = program
    this.#folder = join(EXAMPLES, language)
    this.#ending = language === 'python' ? 'py' : 'ts'
    const CALLBOARD_KEY_FILE = join(temporaryFolder('callboard-example-'), 'callboard.key')
    this.env = { ...environment(), CALLBOARD_DEVNET: join(instance.folder, 'devnet.json'), CALLBOARD_KEY_FILE, ...env }
  }

  /** The API key that `provider key` made. */
  get key(): string {
    return readFileSync(this.env.CALLBOARD_KEY_FILE ?? '', 'utf8')
  }

  /** Runs an example. @returns what it printed */
  run(name: string, ...words: string[]): Promise<string> {
    return run(this.#program, [join(this.#folder, `${name}.${this.#ending}`), ...words], this.env)
  }

  /** Starts the seller of the examples. @returns the URL that is sold, once it asks for a payment */
  sell(payTo: string): Promise<string> {
    return this.serve(this.#program, [join(this.#folder, `seller.${this.#ending}`)], payTo)
  }

  /** Starts a program that sells `/tides` at `PORT` for `PAY_TO`. @returns that URL, once it asks for a payment */
  async serve(program: string, words: readonly string[], payTo: string): Promise<string> {
    const port = String(await freePort())
    const seller = spawn(program, words, { env: { ...this.env, PAY_TO: payTo, PORT: port }, stdio: 'ignore' })
    onTestFinished(() => void seller.kill())
    const url = `http://127.0.0.1:${port}/tides`
    const asks = () =>
      fetch(url).then(
        ({ status }) => status === 402,
        () => false,
      )
    await until('the seller asks for a payment', asks, 30_000)
    return url
  }

  /** Runs a program, given as text, in the desk's language. */
  runText(text: string, env: NodeJS.ProcessEnv): Promise<string> {
    const words = this.#ending === 'py' ? ['-c', text] : ['--input-type=module', '-e', text]
    return run(this.#program, words, { ...this.env, ...env })
  }
}

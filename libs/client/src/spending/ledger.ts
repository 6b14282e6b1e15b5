import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lock } from 'proper-lockfile'
import { z } from 'zod'
import { writeSecretFile } from '../credentials.ts'
import { type Asked, type Decision, decide, type SpendingPolicy, type Spent } from './policy.ts'

/**
 * `promised` is signed, or about to be: whoever holds the signature may use it until it expires. `settled` is paid.
 * `refused` was turned down by the seller, who still holds the signature. `unknown` had no answer.
 */
const State = z.enum(['promised', 'settled', 'refused', 'unknown'])

const Entry = z.object({
  id: z.string(),
  at: z.number(),
  url: z.string(),
  network: z.string(),
  payTo: z.string(),
  /** Base units of USDC as decimal text. */
  amount: z.string().regex(/^\d+$/),
  /** Unix milliseconds, after which the signature is worth nothing. */
  validBefore: z.number(),
  state: State,
  transaction: z.string().optional(),
})
export type Entry = z.output<typeof Entry>

const KEPT_MS = 32 * 24 * 3_600_000

/** Whether an entry counts as spent: all do, but what was refused and can no longer be used. */
const counts = ({ state, validBefore }: Entry, now: number) => state !== 'refused' || now < validBefore

/**
 * What an agent spent, in a file of mode 600 that processes share. A payment stands here before it is signed, under a
 * lock, so that two processes cannot pass a limit together, and a crash leaves it counted.
 */
export class Ledger {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  read(): readonly Entry[] {
    if (!existsSync(this.file)) return []
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Entry.parse(JSON.parse(line)))
  }

  /** Notes a payment if the policy allows it. @returns its id, or why it is not to be made */
  promise(
    policy: SpendingPolicy,
    asked: Asked & { readonly url: string; readonly validForMs: number },
  ): Promise<{ readonly id: string } | Extract<Decision, { pay: false }>> {
    return this.#locked(() => {
      const now = Date.now()
      const entries = this.read().filter(({ at }) => now - at < KEPT_MS)
      const spent: Spent[] = entries
        .filter((entry) => counts(entry, now))
        .map(({ at, amount }) => ({ at, amount: BigInt(amount) }))
      const decision = decide(policy, spent, asked, now)
      if (!decision.pay) return decision
      const { url, network, payTo, amount, validForMs } = asked
      const id = randomUUID()
      const times = { at: now, validBefore: now + validForMs }
      this.#write([...entries, { id, ...times, url, network, payTo, amount: amount.toString(), state: 'promised' }])
      return { id }
    })
  }

  /** Notes what became of a payment. */
  async conclude(id: string, state: Exclude<Entry['state'], 'promised'>, transaction?: string): Promise<void> {
    await this.#locked(() =>
      this.#write(
        this.read().map((entry) =>
          entry.id === id ? { ...entry, state, ...(transaction ? { transaction } : {}) } : entry,
        ),
      ),
    )
  }

  #write(entries: readonly Entry[]): void {
    writeSecretFile(this.file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }

  async #locked<T>(work: () => T): Promise<T> {
    if (!existsSync(this.file)) this.#begin()
    const retries = { retries: 100, minTimeout: 10, maxTimeout: 100 }
    const release = await lock(this.file, { retries, stale: 10_000 })
    try {
      return work()
    } finally {
      await release()
    }
  }

  /** An empty ledger, for something to lock. One that another process began meanwhile is left alone. */
  #begin(): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    closeSync(openSync(this.file, 'a', 0o600))
  }
}

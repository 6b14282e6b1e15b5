import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DAY_MS } from '@callboard/values'
import { lock } from 'proper-lockfile'
import { isWaiting, startWaiting, stopWaiting } from './awaited.ts'
import { type Entry, isOpen, isUndecided, type Presented, type Signed, spentBy, type TransferAsked } from './entry.ts'
import { Journal } from './journal.ts'
import { type Asked, type Decision, decide, type SpendingPolicy } from './policy.ts'

export { LedgerUnusable } from './journal.ts'

/** How long an entry is kept: limits look back a day, and a payment of unknown outcome can be presented again. */
const KEPT_MS = 8 * DAY_MS
const KEPT_UNKNOWN_MS = 32 * DAY_MS

/** After how long the lock of a process that was killed is free. */
const STALE_MS = 10_000
/** Some fifteen seconds: longer than that, so that the next command gets it. */
const RETRIES = { retries: 150, minTimeout: 10, maxTimeout: 100 }

export interface Ordered {
  readonly id: string
  readonly signed: Signed
  /** An earlier call signed it and did not learn its outcome. */
  readonly repeated: boolean
}

/**
 * An agent's spending, in a file of mode 600 that processes share. A payment is recorded here before it is signed,
 * under a lock, so that two processes cannot exceed a limit together, and a crash leaves it counted.
 */
export class Ledger {
  readonly file: string
  readonly #journal: Journal

  constructor(file: string) {
    this.file = file
    this.#journal = new Journal(file)
  }

  read(): readonly Entry[] {
    return [...this.#journal.entries().values()]
  }

  /** Records a payment if the policy allows it. @returns its id, or why it must not be made */
  promise(
    policy: SpendingPolicy,
    asked: Asked & { readonly url: string; readonly validForMs: number; readonly request?: string | undefined },
  ): Promise<{ readonly id: string } | Extract<Decision, { pay: false }>> {
    return this.#locked(() => {
      const now = Date.now()
      const decision = decide(policy, spentBy(this.#ofToday(now), now), asked, now)
      if (!decision.pay) return decision
      const { url, network, payTo, amount, validForMs, request } = asked
      const id = randomUUID()
      const times = { at: now, validBefore: now + validForMs }
      const terms = { url, network, payTo, amount: amount.toString(), ...(request ? { request } : {}) }
      this.#append({ id, ...times, ...terms, state: 'promised', pid: process.pid })
      startWaiting(id)
      return { id }
    })
  }

  /** Records the header of a promised payment before it is sent. */
  present(id: string, header: string): Promise<void> {
    return this.#locked(() => this.#change(id, (entry) => ({ ...entry, presented: header }), true))
  }

  /**
   * Finds a payment for this request whose outcome is unknown, and takes it: this process presents it again.
   * @param request from `requestHash`
   */
  reopen(request: string): Promise<Presented | undefined> {
    return this.#locked(() => {
      const now = Date.now()
      const open = this.#kept(now).find((entry) => isUndecided(entry, request, { now, isWaiting }))
      if (!open) return undefined
      this.#change(open.id, (entry) => ({ ...entry, state: 'promised', pid: process.pid }))
      startWaiting(open.id)
      return open as Presented
    })
  }

  /**
   * Has a transfer signed and stores it before returning it, or finds one with the same terms whose outcome is unknown.
   * A transfer to the owner is within any policy.
   * @returns it, or why it must not be made
   */
  order(
    policy: SpendingPolicy,
    asked: TransferAsked,
    sign: () => Promise<Signed>,
  ): Promise<Ordered | Extract<Decision, { pay: false }>> {
    return this.#locked(async () => {
      const now = Date.now()
      const open = this.#kept(now).find((entry) => isOpen(entry, asked))
      if (open?.signed) return { id: open.id, signed: open.signed, repeated: true }
      const decision = asked.toOwner ? undefined : decide(policy, spentBy(this.#ofToday(now), now), asked, now)
      if (decision?.pay === false) return decision
      const signed = await sign()
      const { url, network, payTo, amount, toOwner } = asked
      const id = randomUUID()
      const times = { at: now, validBefore: Number(signed.authorization.validBefore) * 1_000 }
      const terms = { url, network, payTo, amount: amount.toString(), toOwner }
      this.#append({ id, ...times, ...terms, state: 'promised', signed }, true)
      return { id, signed, repeated: false }
    })
  }

  /**
   * Records the outcome of a payment. What was signed is kept until the outcome is known.
   * @param learned the transaction, when the signed payload expires in Unix milliseconds, and whether the payment is
   * not to be presented again
   */
  async conclude(
    id: string,
    state: Exclude<Entry['state'], 'promised'>,
    learned: Partial<Pick<Entry, 'transaction' | 'validBefore' | 'presented'>> = {},
  ): Promise<void> {
    await this.#locked(() =>
      this.#change(id, ({ signed, presented, pid: _, ...rest }) => {
        const kept = state === 'unknown' ? { ...(signed ? { signed } : {}), ...(presented ? { presented } : {}) } : {}
        return { ...rest, ...kept, ...learned, state }
      }),
    ).finally(() => stopWaiting(id))
  }

  /** Removes a promise for which nothing was signed. */
  async takeBack(id: string): Promise<void> {
    await this.#locked(() => this.#journal.rewrite((entry) => entry.id !== id)).finally(() => stopWaiting(id))
  }

  #change(id: string, change: (entry: Entry) => Entry, isDurable = false): void {
    const entry = this.#journal.entries().get(id)
    if (entry) this.#append(change(entry), isDurable)
  }

  /** @param isDurable whether it is about to be sent: another process must not sign it anew, also after a power cut */
  #append(entry: Entry, isDurable = false): void {
    this.#journal.append(entry, isDurable)
    const now = Date.now()
    const kept = (one: Entry) => isKept(one, now)
    if (this.#journal.isMostlyOver(kept)) this.#journal.rewrite(kept)
  }

  #kept(now: number): readonly Entry[] {
    return this.read().filter((entry) => isKept(entry, now))
  }

  /** What a limit can count. */
  #ofToday(now: number): readonly Entry[] {
    return this.read().filter(({ at }) => now - at < DAY_MS)
  }

  async #locked<T>(work: () => T | Promise<T>): Promise<T> {
    if (!existsSync(this.file)) this.#journal.begin()
    const release = await lock(this.file, { retries: RETRIES, stale: STALE_MS })
    try {
      return await work()
    } finally {
      await release()
    }
  }
}

const isKept = ({ at, state }: Entry, now: number): boolean =>
  now - at < (state === 'promised' || state === 'unknown' ? KEPT_UNKNOWN_MS : KEPT_MS)

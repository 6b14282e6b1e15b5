import { Usage } from '../exit-codes.ts'

/**
 * The calls that wait for their answers. The ledger presents a payment again only once its call has ended: a client that
 * gave up waiting and sends the same call meanwhile would pay twice.
 */
export class CallsUnderWay {
  readonly #calls = new Set<string>()

  /** @throws Usage where the same call is under way */
  async alone<T>(call: string, work: () => Promise<T>): Promise<T> {
    if (this.#calls.has(call))
      throw new Usage('Not called: the same call is under way. Wait for its answer. Nothing more was signed.')
    this.#calls.add(call)
    try {
      return await work()
    } finally {
      this.#calls.delete(call)
    }
  }
}

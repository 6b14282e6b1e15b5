import { setTimeout as wait } from 'node:timers/promises'
import type { Hex, LocalAccount } from '@callboard/conformance/chain'
import type { Client } from '@callboard/conformance/client'
import { authorize, fromHeader, paymentPayload, type Requirement, toHeader } from '@callboard/conformance/payment'
import type { Devnet } from '@callboard/conformance/target'
import { SOUND } from './sold.ts'

/** Test USDC of a payer, in base units. */
export const toPay = 400_000_000n
/** The amount that every payment of the walk buys. */
const USD = 1
export const TIER_NANO = 1_000_000_000n

/** An owner who can buy again. */
export interface Buyer {
  readonly owner: Hex
  readonly session: Client
}

/** A submitted payment, and the owner whose balance is credited. */
export interface HandedIn {
  readonly nonce: Hex
  readonly owner: Hex
  /** `open` until an answer is definite. */
  outcome: 'open' | 'settled' | 'refused'
  /** How often it was presented. */
  times: number
}

const PATIENCE_MS = 120_000
const AGAIN_MS = 300
const IMPATIENT_MS = 6_000

interface Paying {
  readonly baseUrl: string
  readonly devnet: Devnet
  readonly payers: readonly LocalAccount[]
}

/** The payments of a walk. Each is presented again until its outcome is known: no answer never counts as a refusal. */
export class Payments {
  readonly handedIn: HandedIn[] = []
  readonly #paying: Paying
  readonly #price: Requirement
  #turn = 0

  private constructor(paying: Paying, price: Requirement) {
    this.#paying = paying
    this.#price = price
  }

  /** Asks once for the price, before anything is killed. */
  static async open(paying: Paying): Promise<Payments> {
    return new Payments(paying, await offered(paying))
  }

  /** A fresh authorization for the price, as a header. */
  async sign(owner: Hex): Promise<{ readonly header: string; readonly entry: HandedIn }> {
    const { payers } = this.#paying
    this.#turn += 1
    const payer = payers[this.#turn % payers.length]
    if (!payer) throw new Error('There is no payer')
    const signed = await authorize(payer, this.#price)
    const entry: HandedIn = { nonce: signed.authorization.nonce, owner, outcome: 'open', times: 0 }
    this.handedIn.push(entry)
    return { header: toHeader(paymentPayload(this.#price, signed)), entry }
  }

  /** Buys balance for a signed-in owner. */
  async topUp({ owner, session }: Buyer): Promise<HandedIn['outcome']> {
    const { header, entry } = await this.sign(owner)
    const url = `${session.baseUrl}/api/router/top-up/${USD}`
    return this.repeat(entry, () =>
      fetch(url, { method: 'POST', headers: { ...session.headers, 'payment-signature': header }, signal: patience() }),
    )
  }

  /** Presents a payment with the same request until the answer is definite. */
  async repeat(entry: HandedIn, present: () => Promise<Response>): Promise<HandedIn['outcome']> {
    const end = performance.now() + PATIENCE_MS
    while (performance.now() < end) {
      entry.times += 1
      const answer = await present().catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.headers.has('payment-response')) entry.outcome = 'settled'
      else if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) entry.outcome = 'refused'
      if (entry.outcome !== 'open') break
      await wait(AGAIN_MS)
    }
    return entry.outcome
  }
}

/** The offer to a caller without a key. */
async function offered({ baseUrl, devnet }: Paying): Promise<Requirement> {
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: SOUND, messages: [{ role: 'user', content: 'Name a colour.' }] }),
  })
  const { accepts = [] } = (fromHeader(answer.headers.get('payment-required')) ?? {}) as { accepts?: Requirement[] }
  const entry = accepts.find(({ network }) => network === devnet.network)
  if (!entry) throw new Error(`No balance is sold on ${devnet.network}: ${answer.status} ${await answer.text()}`)
  return entry
}

export const patience = (): AbortSignal => AbortSignal.timeout(IMPATIENT_MS)

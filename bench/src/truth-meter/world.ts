import { DAY_MS } from '@callboard/values'
import { seeded } from '../discovery/random.ts'

/** One settlement of the corpus, with its author's intention. */
export interface MadeSettlement {
  readonly payer: string
  readonly payTo: string
  readonly atMs: number
  /** Millionths of a USD. */
  readonly amount: number
  /** Who submitted it to the chain. */
  readonly facilitator: string
  /** The name of the scheme that made it; undefined for honest ones. */
  readonly scheme: string | undefined
}

export interface Seller {
  readonly payTo: string
  /** A second address of the same seller. */
  readonly alsoAt: string
  /** Where its money ends up: the payout wallet where `payTo` is a splitter. */
  readonly wallet: string
  readonly price: number
}

/** The world of the corpus's actors: the same for a seed. */
export class World {
  readonly settlements: MadeSettlement[] = []
  readonly sellers: Seller[] = []
  readonly facilitators: readonly string[]
  readonly random: () => number
  readonly startMs: number
  readonly endMs: number
  #addresses = 0
  readonly #addressSeed: number

  /** @param startMs in the middle of a week, so that the first and the last one are partial */
  constructor(seed: number, startMs: number, days: number) {
    this.random = seeded(seed)
    this.#addressSeed = seed
    this.startMs = startMs
    this.endMs = startMs + days * DAY_MS
    this.facilitators = Array.from({ length: 6 }, () => this.address())
  }

  /** An address of digits only, which is its own EIP-55 form, in no particular order. */
  address(): string {
    this.#addresses += 1
    const mixed = seeded(this.#addressSeed * 1_000_003 + this.#addresses)
    const digits = Array.from({ length: 3 }, () => String(Math.floor(mixed() * 1e9)).padStart(9, '0')).join('')
    return `0x${digits}${String(this.#addresses).padStart(13, '0')}`
  }

  seller(price = this.pick([1_000, 2_000, 5_000, 10_000, 10_000, 20_000, 50_000, 250_000])): Seller {
    const payTo = this.address()
    const wallet = this.random() < 0.6 ? this.address() : payTo
    const seller = { payTo, alsoAt: this.address(), wallet, price }
    this.sellers.push(seller)
    return seller
  }

  pay(
    payer: string,
    { payTo, price }: Pick<Seller, 'payTo' | 'price'>,
    atMs: number,
    more: Partial<Pick<MadeSettlement, 'amount' | 'facilitator' | 'scheme'>> = {},
  ): void {
    if (atMs < this.startMs || atMs >= this.endMs) return
    const { amount = price, facilitator = this.facilitator(), scheme } = more
    this.settlements.push({ payer, payTo, atMs: Math.floor(atMs), amount, facilitator, scheme })
  }

  /** Large ones settle the most. */
  facilitator = (): string => this.facilitators[Math.floor(this.random() ** 2 * this.facilitators.length)] ?? ''

  pick<Of>(of: readonly Of[]): Of {
    return of[Math.floor(this.random() * of.length)] as Of
  }

  between = (least: number, most: number): number => least + this.random() * (most - least)
  whole = (least: number, most: number): number => Math.floor(this.between(least, most + 1))
  moment = (): number => this.between(this.startMs, this.endMs)
  chance = (share: number): boolean => this.random() < share

  /** The days of the world, by their start. */
  days = (): number[] =>
    Array.from({ length: Math.ceil((this.endMs - this.startMs) / DAY_MS) }, (_, day) => this.startMs + day * DAY_MS)
}

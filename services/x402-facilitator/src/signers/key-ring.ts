import { derived } from '@callboard/runtime'
import type { Address, Hex } from '@callboard/values'
import { keccak256, recover } from '@callboard/x402'
import { numberToHex } from 'viem'
import { lowS } from './signature-forms.ts'
import { type PlainSignature, type Signer, SignerUnavailable } from './signer.ts'

/** A signature and its parity, by which the signing key can be recovered. */
export type FullSignature = Required<PlainSignature>

/** How long a signature took, and its outcome. */
export interface Signed {
  readonly lane: Address
  readonly signer: Signer['kind']
  /** `wrong`: it was made with another key than the account's. */
  readonly outcome: 'ok' | 'failed' | 'wrong'
  readonly seconds: number
}

export interface KeyRingOptions {
  /** The longest wait for a signature. */
  readonly timeoutMs: number
  /** Called after each signature. */
  readonly signed: (signed: Signed, error?: unknown) => void
}

/** How long an account is skipped after its signer failed, unless no other is left. */
const REST_MS = 5_000

/**
 * The keys of all signing accounts as currently configured. A signature that does not recover to its account is never
 * used, so no signer can make us send a transaction that a chain would refuse or another account would pay for.
 */
export class KeyRing {
  readonly #signers: () => ReadonlyMap<Address, Signer>
  readonly #open: () => readonly Address[]
  readonly #options: KeyRingOptions
  readonly #restUntil = new Map<Address, number>()

  /** @param signers the configured signers; called each time, and returns another array once they have changed */
  constructor(signers: () => readonly Signer[], options: KeyRingOptions) {
    this.#signers = derived(signers, (all) => new Map(all.map((signer) => [signer.address, signer])))
    this.#open = derived(this.#signers, (all) =>
      [...all.values()].filter((one) => !one.retiring).map((one) => one.address),
    )
    this.#options = options
  }

  /** Every account whose key is here, including retiring ones. */
  addresses(): readonly Address[] {
    return [...this.#signers().keys()]
  }

  /** The accounts that take new payments; another array once they change. */
  open(): readonly Address[] {
    return this.#open()
  }

  has(lane: Address): boolean {
    return this.#signers().has(lane)
  }

  /** The accounts for the next payment: those whose signer has not failed lately, or all where every signer has. */
  ready(): readonly Address[] {
    const now = performance.now()
    const awake = this.open().filter((lane) => (this.#restUntil.get(lane) ?? 0) <= now)
    return awake.length > 0 ? awake : this.open()
  }

  /** Signs keccak-256 of the payload for an account. @throws SignerUnavailable */
  async sign(lane: Address, payload: Uint8Array): Promise<FullSignature> {
    const signer = this.#signers().get(lane)
    if (!signer) throw new SignerUnavailable(lane, 'its key is not among FACILITATOR_KEYS')
    const began = performance.now()
    const told = (outcome: Signed['outcome'], error?: unknown) => {
      if (outcome === 'ok') this.#restUntil.delete(lane)
      else this.#restUntil.set(lane, performance.now() + REST_MS)
      const seconds = (performance.now() - began) / 1_000
      this.#options.signed({ lane, signer: signer.kind, outcome, seconds }, error)
    }
    let made: PlainSignature
    try {
      made = lowS(await withinTime(this.#options.timeoutMs, (signal) => signer.sign(payload, signal)))
    } catch (error) {
      told('failed', error)
      throw new SignerUnavailable(lane, `${signer.kind} gave no signature`, error)
    }
    const yParity = made.yParity ?? (await parityOf(made, keccak256(payload), lane))
    told(yParity === undefined ? 'wrong' : 'ok')
    if (yParity === undefined)
      throw new SignerUnavailable(lane, `${signer.kind} signed with the key of another account`)
    return { ...made, yParity }
  }
}

/** Runs work that is abandoned after a time, whether or not it heeds the signal. */
async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  // A signal that is its own timer would fire, with an error, after every signature.
  const timer = setTimeout(() => {
    gone.abort(new DOMException(`no signature within ${ms} ms`, 'TimeoutError'))
    reject(gone.signal.reason)
  }, ms)
  try {
    return await Promise.race([work(gone.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Finds the parity under which a signature is the account's; undefined where neither is. */
async function parityOf(signature: PlainSignature, digest: Hex, lane: Address): Promise<0 | 1 | undefined> {
  for (const yParity of [0, 1] as const) {
    const recovered = await recover(digest, compact(signature, yParity))
    if (recovered.ok && recovered.address === lane) return yParity
  }
  return undefined
}

const compact = ({ r, s }: PlainSignature, yParity: 0 | 1): Hex => {
  const [left, right] = [r, s].map((half) => numberToHex(half, { size: 32 }).slice(2))
  return `0x${left}${right}${yParity === 0 ? '1b' : '1c'}`
}

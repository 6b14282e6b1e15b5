import type { Logger } from '@callboard/runtime'
import type { Caip2, Clock } from '@callboard/values'
import { request } from 'undici'
import { whyFailed } from '../models/why-failed.ts'
import { cdpAnswer, cdpFault } from './cdp-answer.ts'
import type { CdpKey } from './cdp-key.ts'
import { cdpToken } from './cdp-token.ts'
import type { OnrampAsked, OnrampFailure, OnrampMade, OnrampProvider } from './provider.ts'

/** The platform's names of the networks that we serve and on which it sells USDC. */
const NETWORKS: Readonly<Partial<Record<Caip2, string>>> = { 'eip155:8453': 'base' }
const PATH = '/platform/v2/onramp/sessions'
/** More than any valid answer of the platform; a longer one is rejected. */
const MAX_ANSWER_BYTES = 65_536

export interface CoinbaseSettings {
  readonly keyId: string
  /** The current key. */
  readonly key: () => CdpKey
  readonly baseUrl: string
  readonly timeoutMs: number
}

/** Onramp sessions of the Coinbase Developer Platform, API version 2. */
export class Coinbase implements OnrampProvider {
  readonly #settings: CoinbaseSettings
  readonly #url: URL
  readonly #clock: Clock
  readonly #log: Logger

  constructor(settings: CoinbaseSettings, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#settings = settings
    this.#url = new URL(settings.baseUrl.replace(/\/$/, '') + PATH)
    this.#clock = clock
    this.#log = log
  }

  serves(network: Caip2): boolean {
    return NETWORKS[network] !== undefined
  }

  async create(asked: OnrampAsked): Promise<OnrampMade | OnrampFailure> {
    const answered = await this.#post(bodyOf(asked)).catch((error: unknown) => {
      this.#log.warn(whyFailed(error), 'the onramp provider did not answer')
      return undefined
    })
    if (!answered)
      return { failed: `did not answer within ${this.#settings.timeoutMs} ms, or not with a usable answer.` }
    const { status, text } = answered
    if (status >= 200 && status < 300) {
      const made = cdpAnswer(text)
      return made
        ? { provider: 'coinbase', transaction: null, message: PAY_THERE, ...made }
        : { failed: 'answered without a session.' }
    }
    const fault = cdpFault(text)
    this.#log.warn({ status, fault }, 'the onramp provider refused a session')
    if (status === 401 || status === 403)
      return { failed: 'does not accept the key of this instance. The operator of this instance has to fix that.' }
    return { failed: `answered ${status}${fault ? ` (${fault})` : ''}.` }
  }

  /** Sends once, as a session may have been made without our knowing. @throws Error without a whole answer */
  async #post(body: object): Promise<{ status: number; text: string }> {
    const { keyId, key, timeoutMs } = this.#settings
    const { host, pathname: path } = this.#url
    const token = await cdpToken(keyId, key(), { method: 'POST', host, path }, this.#clock.now())
    const { statusCode, body: answer } = await request(this.#url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`)
      chunks.push(chunk)
    }
    return { status: statusCode, text: Buffer.concat(chunks).toString('utf8') }
  }
}

const PAY_THERE = 'Open onrampUrl once and pay there. The USDC arrives in the wallet when the provider has the money.'

const bodyOf = ({ wallet, network, amountUsd, redirectUrl, country, subdivision }: OnrampAsked) => ({
  destinationAddress: wallet,
  destinationNetwork: NETWORKS[network],
  ...{ purchaseCurrency: 'USDC', purchaseAmount: amountUsd, paymentCurrency: 'USD' },
  ...(redirectUrl === undefined ? {} : { redirectUrl }),
  ...(country === undefined ? {} : { country }),
  ...(subdivision === undefined ? {} : { subdivision }),
})

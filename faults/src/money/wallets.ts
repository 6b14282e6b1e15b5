import type { LocalAccount } from '@callboard/conformance/chain'
import { fromHeader } from '@callboard/conformance/payment'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { SOUND } from './sold.ts'

interface Challenge {
  readonly info: Readonly<Record<string, string>>
  readonly supportedChains: readonly [{ readonly chainId: string; readonly type: 'eip191' }]
}

/**
 * Signs a wallet in once, and again when its login has expired or was lost with Redis.
 * @source x402 v2, extension sign-in-with-x
 */
export class WalletLogin {
  readonly #baseUrl: string
  readonly #account: LocalAccount
  #header: Promise<string> | undefined

  constructor(baseUrl: string, account: LocalAccount) {
    this.#baseUrl = baseUrl
    this.#account = account
  }

  /** The headers of a call by this wallet. @throws Error while no challenge is available */
  async headers(): Promise<Record<string, string>> {
    this.#header ??= this.#signIn()
    const header = this.#header
    try {
      return { 'sign-in-with-x': await header }
    } catch (error) {
      this.#forget(header)
      throw error
    }
  }

  /** Whether refused headers may be replaced with others. */
  async renew(refused: Readonly<Record<string, string>>): Promise<boolean> {
    const header = this.#header
    const current = await header?.catch(() => undefined)
    if (header && current === refused['sign-in-with-x']) this.#forget(header)
    return true
  }

  #forget(header: Promise<string>): void {
    if (this.#header === header) this.#header = undefined
  }

  async #signIn(): Promise<string> {
    const url = `${this.#baseUrl}/v1/chat/completions`
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: SOUND, messages: [{ role: 'user', content: 'Name a colour.' }] }),
    })
    await answer.arrayBuffer()
    const offer = fromHeader(answer.headers.get('payment-required')) as
      | { readonly extensions?: { readonly 'sign-in-with-x'?: Challenge } }
      | undefined
    const challenge = offer?.extensions?.['sign-in-with-x']
    if (!challenge) throw new Error(`A call without a key was answered ${answer.status}, without a challenge`)
    const { info, supportedChains } = challenge
    const payload = await createSIWxPayload({ ...info, ...supportedChains[0] } as never, this.#account as never, url)
    return encodeSIWxHeader(payload)
  }
}

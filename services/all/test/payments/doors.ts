import {
  authorize,
  fromHeader,
  fund,
  type LocalAccount,
  newAccount,
  paymentPayload,
  type Requirement,
  type Target,
  toHeader,
} from '@callboard/conformance'
import { createTestClient, http } from 'viem'

export interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
  /** Settlement evidence, where the answer carries it. */
  readonly evidence: Record<string, unknown> | undefined
}

type Devnet = NonNullable<Target['devnet']>

/** The routes at which an instance takes payments, and what a test needs to use them. */
export class Doors {
  readonly baseUrl: string
  readonly devnet: Devnet
  /** The devnet's entry of the decoder's live offer. */
  readonly asked: Requirement
  /** Something to decode; its content does not matter to the payment. */
  readonly work: unknown

  private constructor(baseUrl: string, devnet: Devnet, asked: Requirement, work: unknown) {
    this.baseUrl = baseUrl
    this.devnet = devnet
    this.asked = asked
    this.work = work
  }

  /** @throws Error when the decoder is not sold on the devnet */
  static async of({ baseUrl }: { baseUrl: string }, devnet: Devnet): Promise<Doors> {
    const answer = await fetch(`${baseUrl}/x402/decode`, { method: 'POST' })
    const offer = fromHeader(answer.headers.get('payment-required')) as { accepts: Requirement[] }
    const asked = offer.accepts.find(({ network }) => network === devnet.network)
    if (!asked) throw new Error(`The decoder is not sold on ${devnet.network}`)
    return new Doors(baseUrl, devnet, asked, await Doors.#workFor(asked))
  }

  static #workFor = async (asked: Requirement) => ({
    payload: paymentPayload(asked, await authorize(newAccount(), asked)),
  })

  /** Work different from `work`, and from the last time. */
  otherWork = (): Promise<unknown> => Doors.#workFor(this.asked)

  verify = (request: object): Promise<Answered> => this.post('/x402/verify', request)
  settle = (request: object): Promise<Answered> => this.post('/x402/settle', request)
  /** Pays for a decode with any given header content. */
  decode = (payment: unknown, work: unknown = this.work): Promise<Answered> =>
    this.post('/x402/decode', work, { 'payment-signature': toHeader(payment) })

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const answer = await fetch(this.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const evidence = answer.headers.get('payment-response') ?? answer.headers.get('x-payment-response')
    return {
      status: answer.status,
      body: (await answer.json()) as Answered['body'],
      evidence: fromHeader(evidence) as Answered['evidence'],
    }
  }

  /** An unused wallet with the given test USDC in base units. */
  async walletWith(usdc: bigint): Promise<LocalAccount> {
    const wallet = newAccount()
    await fund(this.devnet, wallet.address, { usdc })
    return wallet
  }

  /** The devnet's node, to control its behaviour. */
  node = () => createTestClient({ mode: 'anvil', transport: http(this.devnet.rpcUrl) })
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const OFFER = {
  x402Version: 2,
  resource: { url: 'http://seller.example/' },
  accepts: [
    {
      ...{ scheme: 'exact', network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
      ...{ amount: '100000', payTo: `0x${'2'.repeat(40)}`, maxTimeoutSeconds: 60 },
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
}

/** A value as x402 puts it into a header. */
export const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The header `PAYMENT-RESPONSE` of a settled payment. */
export const EVIDENCE = header({ success: true, transaction: `0x${'a'.repeat(64)}`, network: 'eip155:8453' })

/** The same while the payment is pending: what the paid routes of an instance answer with 503. */
export const PENDING = header({ success: false, errorReason: 'settlement_pending', transaction: `0x${'a'.repeat(64)}` })

/** Answers as a seller whose payment is settled. */
export const sold = (answer: ServerResponse) => answer.writeHead(200, { 'payment-response': EVIDENCE }).end('sold')

/** A seller that asks for 0.10 USD and settles nothing. */
export interface Seller {
  readonly url: string
  /** The header of each payment that was presented, in order. */
  readonly presented: string[]
  /** The extensions of the offer. */
  extensions?: unknown
  /** The ways to pay, if they are others than those of `OFFER`. */
  accepts?: readonly object[]
  /** How it answers a request with a payment. */
  paid: (answer: ServerResponse, request: IncomingMessage) => void
  close(): void
}

export async function startSeller(): Promise<Seller> {
  const server = createServer((request, answer) => {
    const payment = request.headers['payment-signature']
    if (payment) {
      seller.presented.push(String(payment))
      return seller.paid(answer, request)
    }
    const { extensions, accepts = OFFER.accepts } = seller
    answer.writeHead(402, { 'payment-required': header({ ...OFFER, accepts, extensions }) }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const seller: Seller = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    presented: [],
    paid: sold,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return seller
}

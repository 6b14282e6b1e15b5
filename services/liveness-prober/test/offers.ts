import type { RequestListener } from 'node:http'
import { wallet } from '@callboard/testkit'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'

export const USDC = wallet(8).address
export const PAY_TO = wallet(7).address

export const payableEntry = (more: Record<string, unknown> = {}) => ({
  scheme: 'exact',
  network: 'eip155:31337',
  asset: USDC,
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
  ...more,
})

export const offer = (more: Record<string, unknown> = {}) => ({
  x402Version: 2,
  resource: { url: 'https://api.example/quote', description: 'A quote', mimeType: 'application/json' },
  accepts: [payableEntry()],
  ...more,
})

/** A paywall: 402 with the offer in the header and in the body. */
export function paywall(more: Record<string, unknown> = {}): RequestListener {
  const asked = offer(more)
  const body = JSON.stringify(asked)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    [PAYMENT_REQUIRED_HEADER]: encodeHeader(asked),
  }
  return (_req, res) => {
    res.writeHead(402, headers).end(body)
  }
}

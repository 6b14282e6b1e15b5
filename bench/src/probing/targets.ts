import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'
import { CERTIFICATE } from './certificate.ts'
import { PAY_TO, USDC } from './devnet.ts'

/** The targets, in a process of their own so that their CPU is not ours: every path answers 402 over TCP and over TLS. */
const OFFER = {
  x402Version: 2,
  resource: { url: 'https://api.example/quote', description: 'A quote', mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:31337',
      asset: USDC,
      amount: '10000',
      payTo: PAY_TO,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
}
const BODY = JSON.stringify(OFFER)
const HEADERS = {
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(BODY)),
  [PAYMENT_REQUIRED_HEADER]: encodeHeader(OFFER),
}

const paywall: RequestListener = (_req, res) => {
  res.writeHead(402, HEADERS).end(BODY)
}

async function listen(server: ReturnType<typeof createHttp> | ReturnType<typeof createHttps>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const [tcp, tls] = await Promise.all([listen(createHttp(paywall)), listen(createHttps(CERTIFICATE, paywall))])
console.log(`targets: ${JSON.stringify({ tcp, tls })}`)

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'

/** The offer of a path of the provider; absent members are those of a well-behaved devnet offer. */
export interface Asks {
  readonly payTo: string
  readonly amount?: string
  readonly asset?: string
  readonly network?: string
  readonly scheme?: string
  /** The token's EIP-712 domain name. */
  readonly domain?: string
  /** More ways to pay, after the first. */
  readonly beside?: readonly Asks[]
}

export type Behaviour = Asks | ((req: IncomingMessage, res: ServerResponse) => void)

/** A provider's paid API on loopback. Each path asks for payment as set; a path without behaviour answers 404. */
export interface Provider {
  readonly url: (path: string) => string
  set(path: string, behaviour: Behaviour): void
  /** How often a path was called. */
  calls(path: string): number
  close(): Promise<void>
}

export async function startProvider(usdc: { address: string; name: string; version: string }): Promise<Provider> {
  const behaviours = new Map<string, Behaviour>()
  const calls = new Map<string, number>()
  const server: Server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://provider')
    calls.set(pathname, (calls.get(pathname) ?? 0) + 1)
    const behaviour = behaviours.get(pathname)
    if (!behaviour) res.writeHead(404).end()
    else if (typeof behaviour === 'function') behaviour(req, res)
    else {
      const offer = {
        x402Version: 2,
        resource: { url: `http://provider${req.url}`, description: 'A quote', mimeType: 'application/json' },
        accepts: [behaviour, ...(behaviour.beside ?? [])].map((asks) => ({
          scheme: asks.scheme ?? 'exact',
          network: asks.network ?? 'eip155:31337',
          asset: asks.asset ?? usdc.address,
          amount: asks.amount ?? '10000',
          payTo: asks.payTo,
          maxTimeoutSeconds: 60,
          extra: { name: asks.domain ?? usdc.name, version: usdc.version },
        })),
      }
      res.writeHead(402, { 'content-type': 'application/json', [PAYMENT_REQUIRED_HEADER]: encodeHeader(offer) })
      res.end(JSON.stringify(offer))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    set: (path, behaviour) => void behaviours.set(path, behaviour),
    calls: (path) => calls.get(path) ?? 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from '@callboard/values'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import type { Devnet } from './devnet.ts'

const FIRST_PORT = 8425
/** The most demonstrations that can run side by side. */
const PORTS = 20

/** What a second seller sells, by path: the price in base units, and the description in its challenge. */
const SOLD = {
  '/tides': ['20000', 'High and low water of a harbour'],
  '/moon': ['5000', 'Phase and rise of the moon'],
} as const

export interface SampleSource {
  /** Where it lists what it sells, as `/.well-known/x402`. */
  readonly url: string
  /** Ends it; does nothing if another demonstration started it. */
  readonly stop: () => Promise<void>
}

/**
 * A seller that knows nothing of Callboard: the stock middleware in front of two endpoints, paid to its own wallet, and
 * a `/.well-known/x402` that names them. One from an earlier demonstration of this instance is reused.
 */
export async function startSampleSource(devnet: Devnet, payTo: Address): Promise<SampleSource> {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port += 1) {
    const url = `http://127.0.0.1:${port}/.well-known/x402`
    if (await isOurs(url, devnet)) return { url, stop: async () => {} }
    const stop = await started(devnet, payTo, port)
    if (stop) return { url, stop }
  }
  throw new Error(`Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} are taken by other programs.`)
}

const words = ({ facilitatorUrl }: Devnet): string => `Callboard sample source, paid through ${facilitatorUrl}`

async function isOurs(url: string, devnet: Devnet): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { instructions?: unknown }).instructions === words(devnet)
  } catch {
    return false
  }
}

/** @returns undefined when another program has the port */
async function started(devnet: Devnet, payTo: Address, port: number): Promise<(() => Promise<void>) | undefined> {
  const server: Server = createServer(await sellerOf(devnet, payTo))
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

async function sellerOf(devnet: Devnet, payTo: Address): Promise<express.Express> {
  const network = devnet.network as `${string}:${string}`
  const facilitator = new HTTPFacilitatorClient({ url: devnet.facilitatorUrl })
  const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  await resources.initialize()
  const { address: asset, name, version } = devnet.usdc
  const sold = Object.entries(SOLD)
  const routes = Object.fromEntries(
    sold.map(([path, [amount, description]]) => {
      const price = { amount, asset, extra: { name, version } }
      const accepts = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: 120 } as const
      return [`GET ${path}`, { accepts, description, mimeType: 'application/json' }]
    }),
  )
  const app = express()
  app.get('/.well-known/x402', (req, res) => {
    const { port } = req.socket.address() as AddressInfo
    const named = sold.map(([path]) => `http://127.0.0.1:${port}${path}`)
    res.json({ version: 1, resources: named, instructions: words(devnet) })
  })
  app.use(paymentMiddleware(routes, resources, undefined, undefined, false))
  app.get('/tides', (_req, res) => void res.json({ high: '04:12', low: '10:31' }))
  app.get('/moon', (_req, res) => void res.json({ phase: 'waxing', rise: '15:40' }))
  return app
}

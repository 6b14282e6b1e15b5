import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import * as forExpress from '@x402/express'
import * as forHono from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import type { Hex } from '../actors/chain.ts'
import type { Devnet, Target } from '../target.ts'

/** One paid route of a seller. */
export interface Product {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** Base units of the devnet's USDC. */
  readonly amount: string
  readonly payTo: Hex
  readonly description: string
}

export interface Seller {
  readonly url: (path: string) => string
  close(): Promise<void>
}

/** The answer behind every product: it contains the path, so that a buyer sees that the request got there. */
const answerOf = (path: string) => ({ served: path })

async function resourceServer({ baseUrl, devnet }: Target) {
  const facilitator = new HTTPFacilitatorClient({ url: `${baseUrl}/x402` })
  const server = new forExpress.x402ResourceServer(facilitator).register(devnetOf(devnet).network, new ExactEvmScheme())
  await server.initialize()
  return server
}

function devnetOf(devnet: Devnet | undefined): Devnet {
  if (!devnet) throw new Error('A seller settles on the devnet of its target')
  return devnet
}

const routesOf = (products: readonly Product[], { network, usdc }: Devnet) =>
  Object.fromEntries(
    products.map(({ method, path, amount, payTo, description }) => [
      `${method} ${path}`,
      {
        accepts: {
          scheme: 'exact',
          network,
          payTo,
          price: { amount, asset: usdc.address, extra: { name: usdc.name, version: usdc.version } },
          maxTimeoutSeconds: 120,
        },
        description,
        mimeType: 'application/json',
      },
    ]),
  )

/** A seller as a typical provider writes it: stock `@x402/express`, settled by the target's facilitator. */
export async function startExpressSeller(target: Target, products: readonly Product[]): Promise<Seller> {
  const routes = routesOf(products, devnetOf(target.devnet))
  const app = express()
  app.use(forExpress.paymentMiddleware(routes, await resourceServer(target), undefined, undefined, false))
  for (const { method, path } of products) {
    app[method === 'GET' ? 'get' : 'post'](path, (_req, res) => void res.json(answerOf(path)))
  }
  return listening(app.listen(0, '127.0.0.1'))
}

/** The same with stock `@x402/hono` on Node. */
export async function startHonoSeller(target: Target, products: readonly Product[]): Promise<Seller> {
  const routes = routesOf(products, devnetOf(target.devnet))
  const app = new Hono()
  app.use(forHono.paymentMiddleware(routes, await resourceServer(target), undefined, undefined, false))
  for (const { method, path } of products) app.on(method, path, (context) => context.json(answerOf(path)))
  return listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
}

/** Wraps a server as a seller, once it listens. */
export async function listening(server: Server): Promise<Seller> {
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

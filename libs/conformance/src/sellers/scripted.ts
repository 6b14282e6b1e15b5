import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Requirement, toHeader } from '../actors/payment.ts'
import { listening, type Seller } from './sellers.ts'

type Behaviour = (req: IncomingMessage, res: ServerResponse) => void

/** A server whose paths behave as a test sets them: for challenges that no stock server gives, or that change. */
export interface Scripted extends Seller {
  /** @returns the URL of the path */
  set(path: string, behaviour: Behaviour): string
}

export async function startScripted(): Promise<Scripted> {
  const behaviours = new Map<string, Behaviour>()
  const server = createServer((req, res) => {
    const behaviour = behaviours.get(new URL(req.url ?? '/', 'http://scripted').pathname)
    if (behaviour) behaviour(req, res)
    else res.writeHead(404).end()
  })
  const seller = await listening(server.listen(0, '127.0.0.1'))
  return {
    ...seller,
    set(path, behaviour) {
      behaviours.set(path, behaviour)
      return seller.url(path)
    },
  }
}

const json = { 'content-type': 'application/json' }

/** A version 2 challenge in the header, whose input and output the `bazaar` extension describes. */
export const challengeV2 =
  (...accepts: readonly Requirement[]): Behaviour =>
  (req, res) => {
    const offer = {
      x402Version: 2,
      resource: { url: `http://${req.headers.host}${req.url}`, description: 'A quote', mimeType: 'application/json' },
      accepts,
      extensions: { bazaar: BAZAAR },
    }
    res.writeHead(402, { ...json, 'PAYMENT-REQUIRED': toHeader(offer) }).end('{}')
  }

const BAZAAR = {
  info: {
    input: { type: 'http', method: 'GET', queryParams: { symbol: 'ETH' } },
    output: { type: 'json', example: { price: '1' } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET'] },
          queryParams: { type: 'object', properties: { symbol: { type: 'string' } }, required: ['symbol'] },
        },
        required: ['type', 'method'],
      },
    },
    required: ['input'],
  },
}

/** A version 2 challenge where no stock client looks: in the body. */
export const challengeInBody =
  (entry: Requirement): Behaviour =>
  (req, res) => {
    const offer = { x402Version: 2, resource: { url: `http://${req.headers.host}${req.url}` }, accepts: [entry] }
    res.writeHead(402, json).end(JSON.stringify(offer))
  }

/** A version 1 challenge: in the body of the 402, with the network by name. */
export const challengeV1 =
  ({ amount, asset, payTo, maxTimeoutSeconds, extra }: Requirement): Behaviour =>
  (req, res) => {
    const entry = {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: amount,
      resource: `http://${req.headers.host}${req.url}`,
      description: 'A quote',
      mimeType: 'application/json',
      payTo,
      maxTimeoutSeconds,
      asset,
      extra: { name: extra.name, version: extra.version },
    }
    res.writeHead(402, json).end(JSON.stringify({ x402Version: 1, error: 'X-PAYMENT is required', accepts: [entry] }))
  }

/** A challenge of the machine payments protocol only. */
export const challengeMpp: Behaviour = (_req, res) => {
  const request = Buffer.from(JSON.stringify({ amount: '10000', currency: '0x20c0', recipient: '0x01' }))
  const challenge = `Payment id="ch_1", realm="scripted", method="tempo", intent="charge", request="${request.toString('base64url')}"`
  res.writeHead(402, { ...json, 'WWW-Authenticate': challenge }).end('{}')
}

/** An MCP server without sessions that sells one tool. */
export const mcpServer =
  (name: string, entry: Requirement): Behaviour =>
  async (req, res) => {
    const offer = { x402Version: 2, resource: { url: `mcp://tool/${name}` }, accepts: [entry] }
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      'tools/list': { tools: [{ name, inputSchema: { type: 'object' }, annotations: { paymentHint: true } }] },
      'tools/call': {
        isError: true,
        structuredContent: offer,
        content: [{ type: 'text', text: JSON.stringify(offer) }],
      },
    }
    const { id = null, method = '' } = req.method === 'POST' ? JSON.parse(await text(req)) : {}
    const result = results[method]
    const error = { code: -32_000, message: 'Not acceptable' }
    const status = result ? 200 : id === null && method ? 202 : 406
    res.writeHead(status, json).end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  }

/** An answer that asks for no payment. */
export const plain: Behaviour = (_req, res) => void res.writeHead(200, json).end('{"free":true}')

/** A failing server. */
export const broken: Behaviour = (_req, res) => void res.writeHead(500).end()

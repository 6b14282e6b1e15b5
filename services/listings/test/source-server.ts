import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type listings, listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import type { Stage } from './stage.ts'

type Answer = (req: IncomingMessage, res: ServerResponse, url: URL) => void

/** A source on loopback, honest or not. */
export interface SourceServer {
  readonly origin: string
  /** The requested paths, in order; without robots.txt, unless it has one. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function sourceServer(answer: Answer, robots?: string): Promise<SourceServer> {
  const asked: string[] = []
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://source')
    if (url.pathname === '/robots.txt') {
      if (robots === undefined) res.writeHead(404).end()
      else res.writeHead(200, { 'content-type': 'text/plain' }).end(robots)
      return
    }
    asked.push(req.url ?? '')
    answer(req, res, url)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const json = (res: ServerResponse, body: unknown) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** One page of a facilitator with these items. */
export function page(url: URL, items: readonly unknown[], total = items.length) {
  const [limit, offset] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset'))]
  return { x402Version: 2, items: items.slice(offset, offset + limit), pagination: { limit, offset, total } }
}

type Kind = listings.MirrorSource['kind']

/** Adds a source as the operator would. */
export const addSource = async ({ services }: Stage, name: string, kind: Kind, url: string, filters = {}) =>
  granted(
    await services.call(operations.sources, { action: 'add', source: { name, kind, url, filters, intervalHours: 6 } }),
  )

export async function sourceOf({ services }: Stage, name: string) {
  const { sources } = granted(await services.call(operations.sources, { action: 'list' }))
  const source = sources.find((one) => one.name === name)
  if (!source) throw new Error(`There is no source ${name}`)
  return source
}

/** Adds a source, and waits until an import of it has completed. */
export async function imported(stage: Stage, name: string, kind: Kind, url: string, filters = {}) {
  await addSource(stage, name, kind, url, filters)
  await until(`${name} is imported`, async () => (await sourceOf(stage, name)).lastGoodAt !== null, 60_000)
  return await sourceOf(stage, name)
}

/** Adds a source, and waits until an import of it has failed. */
export async function failing(stage: Stage, name: string, kind: Kind, url: string) {
  await addSource(stage, name, kind, url)
  await until(`${name} fails`, async () => (await sourceOf(stage, name)).failures > 0)
  return await sourceOf(stage, name)
}

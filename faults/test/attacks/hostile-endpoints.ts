import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { fund, newAccount } from '@callboard/conformance/chain'
import { Client } from '@callboard/conformance/client'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import { type Requirement, toHeader } from '@callboard/conformance/payment'
import { act, deploySplitter, publish, splitterOf } from '@callboard/conformance/provider'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Arena } from './arena.ts'

/** Larger than any body that the prober reads. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024))

/** What a listed or probed URL may answer. */
export const hostileEndpoints = (arena: () => Arena) => {
  const doors = () => arena().doors
  const target = () => ({ baseUrl: doors().baseUrl, devnet: doors().devnet })
  const closing: (() => Promise<unknown>)[] = []
  let owner: Owner

  beforeAll(async () => {
    const account = newAccount()
    await fund(doors().devnet, account.address, { wei: 10n ** 18n })
    owner = await newOwner(target(), account)
  })
  afterAll(async () => {
    for (const close of closing.splice(0)) await close()
  })

  async function listen(server: Server): Promise<string> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(closed))
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const serve = (handler: RequestListener) => listen(createServer(handler))
  const probe = (url: string) => owner.api.post('/api/call/listings/probe', { url, method: 'GET' })

  describe('14: hostile endpoints under probe', () => {
    test.each<[what: string, open: () => Promise<string>]>([
      [
        'a redirect to the metadata service',
        () => serve((_req, res) => res.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()),
      ],
      ['a redirect to itself, for ever', () => serve((req, res) => res.writeHead(302, { location: req.url }).end())],
      ['headers that never end', () => listen(createTcpServer(endlessHeaders))],
      ['a body that never ends', () => serve((_req, res) => void endlessBody(res.writeHead(402)))],
      ['a gzip bomb', () => serve((_req, res) => res.writeHead(402, { 'content-encoding': 'gzip' }).end(BOMB))],
      ['silence', () => listen(createTcpServer(() => {}))],
      ['an end amid the headers', () => listen(createTcpServer((socket) => socket.end('HTTP/1.1 402 Pay\r\nA: ')))],
    ])('%s: no challenge is read, and the answer says so', async (_what, open) => {
      const answer = await probe(await open())
      if (answer.status === 200) expect(answer.json()).toMatchObject({ kind: 'plain' })
      else
        expect([answer.status, answer.json()]).toEqual([422, expect.objectContaining({ message: expect.any(String) })])
    })

    test('private addresses are not fetched', async () => {
      for (const url of ['https://169.254.169.254/', 'https://10.0.0.1/', 'https://[fd00::1]/', 'file:///etc/passwd']) {
        const answer = await probe(url)
        expect([400, 422], `${url} ${answer.text}`).toContain(answer.status)
      }
    })

    test('an honest endpoint next to hostile ones is probed as usual', async () => {
      const honest = await serve((_req, res) => res.writeHead(402, challenge(doors().asked)).end('{}'))
      expect((await probe(honest)).json()).toMatchObject({ kind: 'x402' })
    })
  })

  describe('15: a listing that changes after it was verified', () => {
    const named = (word: string) => ({ name: `Quotes ${word}`, urls: [] as string[] })

    test.each<[what: string, change: (asked: Requirement) => Requirement]>([
      ['the payee', (asked) => ({ ...asked, payTo: newAccount().address })],
      ['the token', (asked) => ({ ...asked, asset: newAccount().address })],
    ])('%s: the listing is no longer verified or payable', async (what, change) => {
      const { devnet } = doors()
      const splitter = await splitterOf(owner.api, devnet, owner.account.address)
      if (!splitter.deployed) await deploySplitter(devnet, owner.account, splitter)
      let asked: Requirement = { ...doors().asked, payTo: splitter.splitterAddress, amount: '10000' }
      const url = await serve((_req, res) => res.writeHead(402, challenge(asked)).end('{}'))
      const word = Math.random().toString(36).slice(2)
      const { slug } = await publish(owner.api, devnet, owner.account, { ...named(`${what} ${word}`), urls: [url] })
      expect((await act(owner.api, slug, 'activate')).status).toBe(200)
      expect((await act(owner.api, slug, 'request_verification')).status).toBe(200)
      const [, seen = ''] = / verify \S+ (\S+) --checked/.exec(await arena().operator('look', slug)) ?? []
      await arena().operator('verify', slug, seen, '--checked', 'description,price,impersonation,terms')
      const found = () => itemOf(slug)
      await until('the directory shows it verified and payable', async () => {
        const item = await found()
        return item?.verification === 'verified' && item.execution.payable
      })

      asked = change(asked)
      expect((await new Client(doors().baseUrl).post(`/api/call/listings/${slug}/resync`)).status).toBe(202)
      await until('it is neither', async () => {
        const item = await found()
        return !item || (item.verification !== 'verified' && !item.execution.payable)
      })
    })

    interface Item {
      readonly ref: string
      readonly verification: string
      readonly execution: { readonly payable: boolean }
    }
    async function itemOf(slug: string): Promise<Item | undefined> {
      const word = slug.slice(slug.lastIndexOf('-') + 1)
      const answer = await fetch(`${doors().baseUrl}/api/call/discovery?q=${word}&includeUnverified=true`)
      const { items } = (await answer.json()) as { items: Item[] }
      return items.find(({ ref }) => ref === slug)
    }
  })
}

const challenge = (asked: Requirement) => ({
  'content-type': 'application/json',
  'payment-required': toHeader({ x402Version: 2, resource: { url: 'https://quotes.example/' }, accepts: [asked] }),
})

/** Writes for as long as someone reads. */
function endlessly(write: (text: string) => boolean, onDrain: (go: () => void) => void, text: string): void {
  const go = () => {
    while (write(text));
  }
  onDrain(go)
  go()
}

function endlessHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 402 Payment Required\r\n')
  endlessly(
    (text) => !socket.destroyed && socket.write(text),
    (go) => socket.on('drain', go),
    `X-More: ${'a'.repeat(1_000)}\r\n`,
  )
}

function endlessBody(res: Parameters<RequestListener>[1]): void {
  endlessly(
    (text) => !res.destroyed && res.write(text),
    (go) => res.on('drain', go),
    'a'.repeat(16_384),
  )
}

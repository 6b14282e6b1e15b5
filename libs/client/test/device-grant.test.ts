import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Api, ApiUnreachable } from '../src/api.ts'
import { awaitLink, beginLink, type LinkBegun } from '../src/device-grant.ts'
import { WrongOrigin } from '../src/signed-message.ts'

/** What the service says that the message must name. */
let named: { readonly domain: string; readonly uri: string }
const service = createServer((request, answer) => {
  const isNonce = request.url?.startsWith('/api/auth/siwe-nonce')
  const body = isNonce
    ? { ...named, nonce: 'a'.repeat(17), statement: 'Link this agent.', expiresAt: '2026-12-01T00:00:00Z' }
    : { kinds: [{ network: 'eip155:8453' }], user_code: 'BCDF-GHJK' }
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
let port: number
beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await until('the service listens', () => service.listening)
  port = (service.address() as AddressInfo).port
})
afterAll(() => {
  service.close()
})

/** @returns what was signed */
async function linking(host = '127.0.0.1'): Promise<string[]> {
  const signed: string[] = []
  const wallet = {
    address: `0x${'1'.repeat(40)}`,
    signMessage: async ({ message }: { message: string }) => {
      signed.push(message)
      return '0x00'
    },
  }
  const failed = await beginLink(new Api({ baseUrl: `http://${host}:${port}` }), wallet, { label: 'a' }).catch(
    (error: unknown) => error,
  )
  if (failed instanceof Error) expect(failed).toBeInstanceOf(WrongOrigin)
  return signed
}

test.each([
  ['another service', { domain: 'callboard.example', uri: 'https://callboard.example' }],
  ['another domain than that of the URI', { domain: 'callboard.example', uri: 'http://127.0.0.1:PORT' }],
  ['another port', { domain: '127.0.0.1:1', uri: 'http://127.0.0.1:1' }],
  ['no URI', { domain: '127.0.0.1:PORT', uri: 'here' }],
])('a message that names %s is not signed', async (_what, { domain, uri }) => {
  named = { domain: domain.replace('PORT', String(port)), uri: uri.replace('PORT', String(port)) }
  expect(await linking()).toEqual([])
})

test.each(['127.0.0.1', 'localhost'])(
  'a message that names the service is signed when it is called as %s',
  async (host) => {
    named = { domain: `127.0.0.1:${port}`, uri: `http://127.0.0.1:${port}` }
    expect(await linking(host)).toEqual([expect.stringContaining(`127.0.0.1:${port} wants you to sign in`)])
  },
)

test('a code that has expired is waited for no longer, although the service no longer answers', async () => {
  const begun: Partial<LinkBegun> = { device_code: 'a', client_id: 'b', interval: 1, expires_in: 1 }
  const signal = AbortSignal.timeout(9_000)
  const waiting = awaitLink(new Api({ baseUrl: 'http://127.0.0.1:1' }), begun as LinkBegun, { signal })
  await expect(waiting).rejects.toBeInstanceOf(ApiUnreachable)
})

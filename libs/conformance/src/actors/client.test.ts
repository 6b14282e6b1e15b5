import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { endMade } from './made.ts'

/** An instance that answers each request to a path alike. @returns its address, and what it was asked for */
async function instance(
  answers: Readonly<Record<string, readonly [status: number, body: object, retryAfter?: string]>>,
) {
  const asked: string[] = []
  const server = createServer(({ method, url = '', headers }, answer) => {
    asked.push(`${method} ${url} ${headers.authorization}`)
    const [status, body, retryAfter = ''] = answers[url] ?? [204, {}]
    answer.writeHead(status, { 'retry-after': retryAfter }).end(status === 204 ? undefined : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('what takes a place for good is ended at the end of a run, by who made it, and once', async () => {
  const { baseUrl, asked } = await instance({
    '/api/call/listings': [201, { listing: { slug: 'tides' } }],
    '/oauth/register': [201, { client_id: 'client_1', registration_access_token: 'reg' }],
    '/api/call/listings/tides/status': [201, {}],
  })
  const client = new Client(baseUrl, { authorization: 'Bearer key' })
  await client.post('/api/call/listings', {})
  await client.post('/api/call/listings/tides/status', {})
  await new Client(baseUrl).post('/oauth/register', {})
  asked.length = 0
  await endMade()
  await endMade()
  expect(asked.sort()).toEqual([
    'DELETE /api/call/listings/tides Bearer key',
    'DELETE /oauth/register/client_1 Bearer reg',
  ])
})

test('a limit that is used up for long is told as that, and not as an answer of the route', async () => {
  const { baseUrl, asked } = await instance({ '/api/support/reports': [429, {}, '600'] })
  await expect(new Client(baseUrl).post('/api/support/reports', {})).rejects.toThrow(
    /^POST \/api\/support\/reports: the instance takes no more of these for 600 s\. .*RATE_LIMITS/,
  )
  const { status } = await new Client(baseUrl).post('/api/support/reports', {}, { takes429: true })
  expect([status, asked.length]).toEqual([429, 2])
})

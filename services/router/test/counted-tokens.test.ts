import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { FAILURES } from '../src/domain/breaker.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
  ...{ stop_reason: 'end_turn', usage: { input_tokens: 9, output_tokens: 2 } },
}
/** What each model of this provider answers. */
const STATUS: Readonly<Record<string, { readonly message: number; readonly count: number }>> = {
  good: { message: 200, count: 200 },
  uncounted: { message: 200, count: 404 },
  failing: { message: 500, count: 200 },
  long: { message: 413, count: 413 },
  endless: { message: 200, count: 200 },
}

/** A count that is read for as long as its reader has room. */
function* endless() {
  while (true) yield ' '.repeat(1024 * 1024)
}

let server: Server
let stage: Stage
const asked: string[] = []
beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { model } = (await json(req)) as { model: string }
    const isCount = req.url?.endsWith('/count_tokens') ?? false
    asked.push(`${isCount ? 'count' : 'message'} ${model}`)
    const status = STATUS[model]?.[isCount ? 'count' : 'message'] ?? 404
    res.writeHead(status, { 'content-type': 'application/json' })
    if (isCount && model === 'endless') return void Readable.from(endless()).pipe(res)
    const refused = { type: 'error', error: { type: 'request_too_large', message: 'The prompt is too long.' } }
    res.end(JSON.stringify(status === 200 ? (isCount ? { input_tokens: 9 } : { ...MESSAGE, model }) : refused))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const models = ['uncounted', 'failing', 'long', 'endless'].map((id) => ({
    id,
    asks: [id, 'good'] as const,
    shape: 'anthropic' as const,
  }))
  stage = await openStage(inject('postgresUrl'), { models, upstreamUrl })
})
afterAll(async () => {
  await stage.close()
  server.closeAllConnections()
  server.close()
})

const body = (model: string) => ({ model, max_tokens: 10, messages: [{ role: 'user', content: 'Is it?' }] })

test('an upstream that cannot count is still the first to be asked for messages, and not for counts', async () => {
  const key = await stage.fundedKey(PLENTY)
  for (let at = 0; at <= FAILURES; at += 1) {
    const counted = await stage.post(key, '/v1/messages/count_tokens', body('uncounted'))
    expect(await counted.json()).toEqual({ input_tokens: 9 })
  }
  expect(asked.filter((one) => one === 'count uncounted')).toHaveLength(FAILURES)
  const answer = await stage.post(key, '/v1/messages', body('uncounted'))
  expect(await answer.json()).toMatchObject({ model: 'uncounted' })
})

test('counts, which are free, keep no upstream in use whose messages fail', async () => {
  const key = await stage.fundedKey(PLENTY)
  for (let at = 0; at <= FAILURES; at += 1) {
    expect((await stage.post(key, '/v1/messages', body('failing'))).status).toBe(200)
    expect((await stage.post(key, '/v1/messages/count_tokens', body('failing'))).status).toBe(200)
  }
  expect(asked.filter((one) => one === 'message failing')).toHaveLength(FAILURES)
})

test('400: a request that an upstream refuses to count is refused with its words, and asked of no other', async () => {
  const key = await stage.fundedKey(PLENTY)
  const before = asked.length
  const answer = await stage.post(key, '/v1/messages/count_tokens', body('long'))
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: 'The prompt is too long.' },
  })
  expect(asked.slice(before)).toEqual(['count long'])
})

test('502: a count that does not end is read no further than an answer', async () => {
  const key = await stage.fundedKey(PLENTY)
  const answer = await stage.post(key, '/v1/messages/count_tokens', body('endless'))
  expect([answer.status, await answer.json()]).toMatchObject([502, { error: { type: 'api_error' } }])
})

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { FAILURES } from '../src/domain/breaker.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'

const COMPLETION = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'long' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
}
const STREAM = [
  { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] },
  { object: 'chat.completion.chunk', choices: [], usage: COMPLETION.usage },
]
const [PATIENCE_MS, WHOLE_PATIENCE_MS] = [100, 4_000]

/** Answers that are not given until the test says so, by model. */
const unanswered = new Map<string, ServerResponse[]>()
const waiting = (model: string) => unanswered.get(model) ?? []

let server: Server
let stage: Stage
beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { model, stream } = (await json(req)) as { model: string; stream?: boolean }
    if (model === 'good' || (model === 'slow' && stream)) return give(res, stream === true)
    unanswered.set(model, [...waiting(model), res])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const shape = 'openai' as const
  const models = [
    { id: 'long', asks: ['long'] as const, shape },
    { id: 'silent', asks: ['silent'] as const, shape },
    { id: 'slow', asks: ['slow', 'good'] as const, shape },
  ]
  const patience = { patienceMs: PATIENCE_MS, wholePatienceMs: WHOLE_PATIENCE_MS }
  stage = await openStage(inject('postgresUrl'), { models, upstreamUrl, ...patience })
})
afterAll(async () => {
  await stage.close()
  server.closeAllConnections()
  server.close()
})

function give(res: ServerResponse, streamed: boolean): void {
  res.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
  if (!streamed) return void res.end(JSON.stringify(COMPLETION))
  res.end(`${STREAM.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`)
}

async function asked(model: string, stream: boolean) {
  const key = await stage.fundedKey(PLENTY)
  const body = { model, stream, max_tokens: 100, messages: [{ role: 'user', content: 'Is it?' }] }
  const answer = await stage.post(key, '/v1/chat/completions', body)
  await answer.text()
  const [call] = await stage.calls(key.owner)
  return { status: answer.status, call }
}

test('an answer that is not streamed may take longer than the first byte of a stream', async () => {
  const long = asked('long', false)
  const res = await until('it is asked', () => waiting('long')[0])
  // It began later, and has been given up.
  expect(await asked('silent', true)).toMatchObject({ status: 502, call: { cost: 0n } })
  give(res, false)
  expect(await long).toMatchObject({ status: 200, call: { ending: 'completed', upstream: 'sample' } })
})

test('a client that asks for answers that take too long has no upstream passed over for others', async () => {
  const late = await Promise.all(Array.from({ length: FAILURES }, () => asked('slow', false)))
  for (const { call } of late) expect(call).toMatchObject({ ending: 'completed', upstream: 'second' })
  expect(waiting('slow')).toHaveLength(FAILURES)
  expect(await asked('slow', true)).toMatchObject({ status: 200, call: { upstream: 'sample' } })
})

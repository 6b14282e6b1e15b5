import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { createLogger, type Running, startServices } from '@callboard/runtime'
import { openDatabase } from '@callboard/store'
import { testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { stringify } from 'yaml'
import { router } from '../src/index.ts'
import { newSecret } from '../src/keys/credential.ts'
import { insertKey } from '../src/store/key.repository.ts'
import type { RouterTables } from '../src/store/tables.ts'
import { startEchoUpstream, WAYS, type Way } from './echo-upstream.ts'
import { modelsFile } from './models-file.ts'
import { type Overheard, overhearNats, overhearRedis } from './overheard.ts'
import { recordedSpans, stopTracing } from './recorded-spans.ts'
import { bought, inTx, someOwner } from './router-store.ts'

/** Part of everything that is said; its length is a multiple of three, so that its base64 is always the same. */
const CANARY = `canary${randomBytes(9).toString('hex')}`
const NEEDLES = [CANARY, Buffer.from(CANARY).toString('base64'), Buffer.from(CANARY).toString('hex')]
const found = (text: string) => NEEDLES.filter((needle) => text.toLowerCase().includes(needle.toLowerCase()))

const [natsUrl, redisUrl] = [inject('natsUrl'), inject('redisUrl')]
const PATH = '/v1/chat/completions'
const lines: string[] = []
let base: string
let secret: string
let services: Running
let database: Awaited<ReturnType<typeof testDatabase>>
let upstream: Awaited<ReturnType<typeof startEchoUpstream>>
const overheard: Record<string, Overheard> = {}

beforeAll(async () => {
  if (natsUrl) overheard.nats = await overhearNats(natsUrl, 'evt.>')
  if (redisUrl) overheard.redis = await overhearRedis(redisUrl)
  database = await testDatabase(inject('postgresUrl'))
  upstream = await startEchoUpstream(CANARY)
  const { models, ...file } = modelsFile(upstream.url, [{ id: 'echo', asks: ['echo'] }])
  const path = join(temporaryFolder('router-canary-'), 'models.yaml')
  writeFileSync(
    path,
    stringify({
      ...file,
      models: models.map((model) => ({ ...model, imageTokens: 100, upstreams: model.upstreams.slice(0, 1) })),
    }),
  )
  const port = String(await freePort())
  base = `http://127.0.0.1:${port}`
  services = await startServices([router, gateway], {
    env: {
      ...{ DATABASE_URL: database.url, PORT: port, BASE_URL: base, ROUTER_MODELS: path },
      ...(natsUrl ? { NATS_URL: natsUrl } : {}),
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    },
    log: createLogger('trace', { write: (line) => void lines.push(line) }),
  })
  secret = await fundedKey()
})
afterAll(async () => {
  await services?.stop()
  await upstream?.close()
  await database?.drop()
  for (const one of Object.values(overheard)) one.close()
  await stopTracing()
})

async function fundedKey(): Promise<string> {
  const store = openDatabase<RouterTables>({
    url: database.url,
    schema: 'router',
    maxConnections: 1,
    onError: () => {},
  })
  const key = { ...newSecret(), id: randomUUID(), owner: someOwner(), linkId: null }
  const { secret: made, ...stored } = key
  const createdAt = new Date()
  await inTx(store.db, (tx) => insertKey(tx, { ...stored, source: 'balance', label: 'test', createdAt }))
  await bought(store.db, key.owner, 10_000_000_000n)
  await store.close()
  return made
}

/** A question with the canary in every place that a client can fill. */
const question = (way: Way, stream: boolean) => ({
  ...{ model: 'echo', user: way, stream, max_tokens: 50, metadata: { note: CANARY }, stop: [CANARY] },
  messages: [
    { role: 'system', content: CANARY },
    {
      role: 'user',
      content: [
        { type: 'text', text: CANARY },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(CANARY).toString('base64')}` } },
      ],
    },
    { role: 'assistant', tool_calls: [toolCall] },
    { role: 'tool', tool_call_id: 'call_0', content: CANARY },
  ],
  tools: [{ type: 'function', function: { name: 'say', description: CANARY, parameters: { title: CANARY } } }],
})
const toolCall = { id: 'call_0', type: 'function', function: { name: 'say', arguments: `{"word":"${CANARY}"}` } }

const sent = (body: string, signal?: AbortSignal, authorization = `Bearer ${secret}`) =>
  fetch(base + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body,
    ...(signal ? { signal } : {}),
  })

/** Reads an answer to its end, or only up to the canary. */
async function read(answer: Response, stopAtCanary: boolean): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (stopAtCanary && text.includes(CANARY)) break
  }
  return text
}

const ask = async (way: Way, stream: boolean) => {
  const answer = await sent(JSON.stringify(question(way, stream)))
  return { status: answer.status, text: await read(answer, way === 'silence') }
}

describe('nothing that is asked or answered is kept', () => {
  test('calls with every ending are made, and the canary comes back to their client', async () => {
    for (const way of WAYS) {
      const stream = !['whole', 'error', 'refusal', 'no-json'].includes(way)
      const { status, text } = await ask(way, stream)
      const ours = status === 502
      expect(ours || text.includes(CANARY), `${way}: ${status} ${text}`).toBe(true)
    }
    expect((await ask('error', true)).status).toBe(502)
  })

  test('refused requests do not put it in any log either', async () => {
    const odd = { ...question('whole', false), max_tokens: CANARY }
    expect((await sent(JSON.stringify(odd))).status).toBe(400)
    expect((await sent(`{"model":"${CANARY}"`)).status).toBe(400)
    expect((await sent(JSON.stringify({ ...question('whole', false), model: CANARY }))).status).toBe(404)
    expect((await sent(JSON.stringify({ ...question('whole', false), messages: CANARY }))).status).toBe(400)
    expect((await sent(JSON.stringify(question('whole', false)), undefined, `Bearer ${CANARY}`)).status).toBe(401)
    const tooLong = JSON.stringify({ ...question('whole', false), prompt: CANARY.repeat(400_000) })
    expect((await sent(tooLong)).status).toBe(413)
  })

  test('a client that leaves before an answer leaves nothing', async () => {
    const leaving = new AbortController()
    const answer = sent(JSON.stringify(question('silence', false)), leaving.signal)
    await until('the call is held', async () => {
      const rows = await database.query(`select 1 from router.call where state = 'held'`)
      return rows.length > 0
    })
    leaving.abort()
    await expect(answer).rejects.toThrow()
  })

  test('no table of any schema has it, in plain text, hexadecimal or base64', async () => {
    await until('every call is settled', async () => {
      const [row] = await database.query<{ held: string }>(
        `select count(*) as held from router.call where state = 'held'`,
      )
      return Number(row?.held) === 0
    })
    const endings = await database.query<{ ending: string }>('select distinct ending from router.call order by 1')
    expect(endings.map(({ ending }) => ending)).toEqual(
      expect.arrayContaining(['broken', 'cancelled', 'completed', 'completed_without_usage', 'failed_before_output']),
    )
    const tables = await database.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    )
    const having = async (word: string) => {
      const names: string[] = []
      for (const { name } of tables) {
        const rows = await database.query(
          `select 1 from ${name} as one where strpos(lower(one::text), lower($1)) > 0 limit 1`,
          [word],
        )
        if (rows.length > 0) names.push(name)
      }
      return names
    }
    expect(await having('echo')).toContain('router.call')
    for (const needle of NEEDLES) expect(await having(needle)).toEqual([])
  })

  test('no line of any log has it, at the finest level', () => {
    expect(lines.some((line) => line.includes('router.createChatCompletion'))).toBe(true)
    expect(lines.filter((line) => found(line).length > 0)).toEqual([])
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
  })

  test('no span has it, nor the key', () => {
    const spans = recordedSpans()
    const names = spans.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['POST /v1/chat/completions', 'process rpc.router.createChatCompletion']),
    )
    expect(spans.some(({ text }) => text.includes('settle_call'))).toBe(true)
    expect(spans.filter(({ text }) => found(text).length > 0 || text.includes(secret))).toEqual([])
  })

  test.runIf(redisUrl)('Redis never receives it', () => {
    const heard = overheard.redis?.heard() ?? ''
    expect(heard.toLowerCase()).toContain('eval')
    expect(found(heard)).toEqual([])
  })

  test.runIf(natsUrl)('no event has it, and the streams of NATS keep only events and NATS’s own subjects', () => {
    const heard = overheard.nats?.heard() ?? ''
    expect(found(heard)).toEqual([])
    const subjects = [...heard.matchAll(/"subjects":\["([^\]]*)"\]/g)].flatMap(([, all = '']) => all.split('","'))
    expect(heard).toContain('stream_list_response')
    expect(subjects.filter((subject) => !/^(evt|\$JS|\$KV)\./.test(subject))).toEqual([])
  })
})

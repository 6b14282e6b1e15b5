import { once } from 'node:events'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { type FakeClock, fakeClock, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FAILURES, KEY_PAUSE_MS, PAUSE, WINDOW } from '../src/domain/breaker.ts'
import { UpstreamEntry } from '../src/domain/model.ts'
import { routerMeters } from '../src/metering.ts'
import type { Candidate } from '../src/models/candidates.ts'
import { firstAnswer } from '../src/models/first-answer.ts'
import { Health } from '../src/models/health.ts'
import { changedSince, ModelSet } from '../src/models/model-set.ts'
import { Upstreams } from '../src/models/upstreams.ts'
import { modelsFile } from './models-file.ts'

/** The requests to a server, in order. */
interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly gone: Promise<unknown>
}
type Answer = (res: ServerResponse) => unknown

const says =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (res) =>
    res.writeHead(status, headers).end('{}')
const silent: Answer = () => {}

/** The servers of two providers; each test sets their answers. */
async function startServer() {
  const asked: Asked[] = []
  const sockets: Socket[] = []
  const state: { answer: Answer } = { answer: says(200) }
  const server = createServer((req, res) => {
    if (!sockets.includes(req.socket)) sockets.push(req.socket)
    asked.push({ path: req.url ?? '', headers: req.headers, gone: once(res, 'close') })
    state.answer(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, sockets, state, close }
}

let one: Awaited<ReturnType<typeof startServer>>
let two: typeof one
beforeAll(async () => {
  one = await startServer()
  two = await startServer()
})
afterAll(() => {
  one.close()
  two.close()
})

let clock: FakeClock
let health: Health
let upstreams: Upstreams
let logged: string[]
let fields: unknown[]
const note = (level: string) => (of: unknown, words?: string) => {
  fields.push(of)
  logged.push(`${level}: ${words}`)
}
const log = { info: note('info'), warn: note('warn'), error: note('error') }

beforeEach(() => {
  for (const server of [one, two]) {
    server.asked.length = 0
    server.sockets.length = 0
    server.state.answer = says(200)
  }
  clock = fakeClock()
  logged = []
  fields = []
  health = new Health({ clock, log, metering: routerMeters(new Registry()), random: () => 0 })
  upstreams = new Upstreams()
})
afterEach(() => upstreams.close())

const candidate = (name: 'one' | 'two', more: object = {}): Candidate => {
  const baseUrl = `${(name === 'one' ? one : two).url}/v1/`
  return { upstream: UpstreamEntry.parse({ name, shape: 'openai', baseUrl, ...more }), model: 'small' }
}

/** Rereads the key of an upstream, whose record then begins anew if it changed. @returns how many changed */
async function refreshedKeys({ upstream }: Candidate) {
  const changed = await upstreams.refresh([upstream])
  const models = { all: [], upstreams: [upstream], find: () => undefined, upstreamOf: () => upstream }
  health.forget({ models, changed })
  return changed.length
}

/** The upstream that answered a call; undefined if none did. */
async function answeredBy(candidates: readonly Candidate[], signal = new AbortController().signal) {
  const ctx = { clock, log, resources: { upstreams, health } }
  const callOf = () => ({ surface: 'chat' as const, body: '{}' })
  const first = await firstAnswer(ctx, { candidates, signal, callOf })
  await first?.answer.body.text().catch(first.broke)
  return first?.candidate.upstream.name
}
const both = () => [candidate('one'), candidate('two')]
const counts = () => [one.asked.length, two.asked.length]

describe('an upstream that fails', () => {
  test('is left for the next one within a call, and passed over by later calls after enough failures', async () => {
    one.state.answer = says(500)
    for (let call = 0; call < FAILURES + 3; call += 1) expect(await answeredBy(both())).toBe('two')
    expect(counts()).toEqual([FAILURES, FAILURES + 3])
    expect(logged.filter((line) => line.endsWith('passed over'))).toHaveLength(1)
  })

  test('is left for the next one at once, even if its error never ends', async () => {
    one.state.answer = (res) => res.writeHead(503, { 'content-type': 'application/json' }).write('{')
    expect(await answeredBy(both())).toBe('two')
  })

  test('that accepts no connection is logged in one line, without a stack', async () => {
    const nowhere = candidate('one', { baseUrl: 'http://127.0.0.1:9/v1' })
    expect(await answeredBy([nowhere, candidate('two')])).toBe('two')
    expect(logged).toContain('warn: an upstream could not be asked')
    expect(fields).toContainEqual({ reason: 'connect ECONNREFUSED 127.0.0.1:9', upstream: 'one', model: 'small' })
  })

  test('is tried by one call when its pause is over, and asked in turn once it is back', async () => {
    one.state.answer = says(500)
    for (let call = 0; call < FAILURES; call += 1) await answeredBy(both())
    clock.advance(PAUSE.firstMs)
    one.state.answer = silent
    const gone = new AbortController()
    const trial = answeredBy(both(), gone.signal)
    await until('the trial is under way', () => one.asked.length === FAILURES + 1)
    expect(await answeredBy(both())).toBe('two')
    expect(one.asked).toHaveLength(FAILURES + 1)
    gone.abort()
    await expect(trial).rejects.toThrow()
    one.state.answer = says(200)
    expect([await answeredBy(both()), await answeredBy(both())]).toEqual(['one', 'one'])
  })

  test('is still asked when nothing else is left: a trial may succeed', async () => {
    one.state.answer = says(500)
    for (let call = 0; call < FAILURES; call += 1) expect(await answeredBy([candidate('one')])).toBeUndefined()
    expect(health.isReady(candidate('one'))).toBe(false)
    one.state.answer = says(200)
    expect(await answeredBy([candidate('one')])).toBe('one')
    expect(health.isReady(candidate('one'))).toBe(true)
  })

  test('is one of several that all fail: the one whose pause ends first is asked, once', async () => {
    one.state.answer = says(503, { 'retry-after': '40' })
    two.state.answer = says(429, { 'retry-after': new Date(clock.now() + 20_000).toUTCString() })
    expect(await answeredBy(both())).toBeUndefined()
    expect(counts()).toEqual([1, 1])
    expect(await answeredBy(both())).toBeUndefined()
    expect(counts()).toEqual([1, 2])
  })

  test('that says when to come back is not asked until then', async () => {
    one.state.answer = says(429, { 'retry-after-ms': '7000', 'retry-after': '8' })
    expect([await answeredBy(both()), await answeredBy(both())]).toEqual(['two', 'two'])
    clock.advance(6_999)
    await answeredBy(both())
    expect(one.asked).toHaveLength(1)
    clock.advance(1)
    await answeredBy(both())
    expect(one.asked).toHaveLength(2)
  })

  test('for one model is still asked for another', async () => {
    one.state.answer = says(401)
    await answeredBy(both())
    expect(health.isReady(candidate('one'))).toBe(false)
    expect(health.isReady({ ...candidate('one'), model: 'large' })).toBe(true)
  })

  test('in the middle of its answers is passed over, even though each one began', async () => {
    one.state.answer = (res) => res.writeHead(200).write('half', () => res.destroy())
    for (let call = 0; call < 20; call += 1) {
      await answeredBy(both())
      if (!health.isReady(candidate('one'))) break
    }
    await until('it is passed over', () => !health.isReady(candidate('one')))
  })

  test('is not one whose answer ends too early because its client reads nothing: who reads it says so', async () => {
    one.state.answer = (res) => res.writeHead(200).write('half', () => res.destroy())
    const ctx = { clock, log, resources: { upstreams, health } }
    const asking = { candidates: both(), signal: new AbortController().signal }
    for (let call = 0; call < WINDOW.asked + 1; call += 1) {
      const first = await firstAnswer(ctx, { ...asking, callOf: () => ({ surface: 'chat', body: '{}' }) })
      await expect(first?.answer.body.text()).rejects.toThrow()
      expect(first?.candidate.upstream.name).toBe('one')
    }
  })

  test.each([400, 422])('is not one that refuses a request with %i', async (status) => {
    one.state.answer = says(status)
    for (let call = 0; call < 10; call += 1) expect(await answeredBy(both())).toBe('one')
  })
})

test('an upstream without the model is left for the next one, passed over, and logged once as an error', async () => {
  one.state.answer = says(404)
  for (let call = 0; call < FAILURES + 3; call += 1) expect(await answeredBy(both())).toBe('two')
  expect(one.asked).toHaveLength(FAILURES)
  expect(logged.filter((line) => line === 'error: an upstream does not have a model that we sell')).toHaveLength(1)
})

test('an upstream without the Responses API is passed over for responses, and is asked for chats as before', async () => {
  const ofResponses = () => both().map((one) => ({ ...one, part: 'responses' as const }))
  one.state.answer = says(404)
  for (let call = 0; call < FAILURES + 3; call += 1) expect(await answeredBy(ofResponses())).toBe('two')
  expect(one.asked).toHaveLength(FAILURES)
  expect(logged).toContain('error: an upstream has no Responses API for a model that we sell')
  one.state.answer = says(200)
  expect(await answeredBy(both())).toBe('one')
  expect(await answeredBy(ofResponses())).toBe('two')
  clock.advance(PAUSE.firstMs)
  expect(await answeredBy(ofResponses())).toBe('one')
})

test('an upstream that is busy with responses is not asked for chats either', async () => {
  one.state.answer = says(503, { 'retry-after': '20' })
  await answeredBy(both().map((each) => ({ ...each, part: 'responses' as const })))
  one.state.answer = says(200)
  expect(await answeredBy(both())).toBe('two')
})

test('prompts that a provider forbids close an upstream for others for a moment only, and the operator reads of it', async () => {
  one.state.answer = says(403)
  for (let call = 0; call < FAILURES - 1; call += 1) await answeredBy(both())
  expect(health.isReady(candidate('one'))).toBe(true)
  await answeredBy(both())
  expect(health.readyAt(candidate('one'))).toBe(clock.now() + PAUSE.firstMs)
  expect(logged).toContain('error: an upstream forbids us a model that we sell')
  one.state.answer = says(200)
  clock.advance(PAUSE.firstMs)
  expect(await answeredBy(both())).toBe('one')
})

describe('a refused key', () => {
  test('disables its upstream for minutes and is logged once, as an error', async () => {
    one.state.answer = says(401)
    for (let call = 0; call < 4; call += 1) expect(await answeredBy(both())).toBe('two')
    expect(one.asked).toHaveLength(1)
    clock.advance(KEY_PAUSE_MS)
    await answeredBy(both())
    expect(one.asked).toHaveLength(2)
    expect(logged.filter((line) => line === 'error: an upstream refuses our key')).toHaveLength(1)
  })

  test('includes a missing one: nothing is sent without a key', async () => {
    const keyless = candidate('one', { apiKeyEnv: 'NO_SUCH_KEY' })
    expect(await answeredBy([keyless, candidate('two')])).toBe('two')
    expect(one.asked).toEqual([])
    expect(logged).toContain('error: an upstream refuses our key')
  })

  test('is replaced within moments: a key file is read when it changes, and its upstream asked again', async () => {
    const file = join(temporaryFolder('callboard-keys-'), 'key')
    writeFileSync(file, 'first\n')
    const keyed = candidate('one', { apiKeyFile: file })
    const refreshed = () => refreshedKeys(keyed)
    one.state.answer = says(401)
    await answeredBy([keyed, candidate('two')])
    expect(await refreshed()).toBe(0)
    writeFileSync(file, 'second key\n')
    one.state.answer = says(200)
    expect(await refreshed()).toBe(1)
    expect(await answeredBy([keyed, candidate('two')])).toBe('one')
    expect(one.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second key'])
  })

  test('that was replaced while calls with it were under way leaves the new one a clean record', async () => {
    const file = join(temporaryFolder('callboard-keys-'), 'key')
    writeFileSync(file, 'first\n')
    const keyed = candidate('one', { apiKeyFile: file })
    const asked = Promise.withResolvers<ServerResponse>()
    one.state.answer = asked.resolve
    const answered = answeredBy([keyed, candidate('two')])
    const late = await asked.promise
    writeFileSync(file, 'second key\n')
    expect(await refreshedKeys(keyed)).toBe(1)
    says(401)(late)
    expect(await answered).toBe('two')
    one.state.answer = says(200)
    expect(await answeredBy([keyed, candidate('two')])).toBe('one')
  })

  test('is there soon: an upstream whose key file appears is asked again', async () => {
    const file = join(temporaryFolder('callboard-keys-'), 'key')
    const keyed = candidate('one', { apiKeyFile: file })
    const refreshed = () => refreshedKeys(keyed)
    expect(await answeredBy([keyed, candidate('two')])).toBe('two')
    expect(await refreshed()).toBe(0)
    writeFileSync(file, 'first\n')
    expect(await refreshed()).toBe(1)
    expect(await answeredBy([keyed, candidate('two')])).toBe('one')
    expect(await refreshed()).toBe(0)
    rmSync(file)
    expect(await refreshed()).toBe(1)
    expect(await answeredBy([keyed, candidate('two')])).toBe('two')
    writeFileSync(file, 'first\n')
    expect(await refreshed()).toBe(1)
    expect(await answeredBy([keyed, candidate('two')])).toBe('one')
  })
})

describe('a hedged upstream', () => {
  const hedged = () => [candidate('one', { hedgeAfterMs: 20 }), candidate('two')]

  test('that is slow has another one asked beside it: the first head is used, the other call is aborted', async () => {
    one.state.answer = silent
    expect(await answeredBy(hedged())).toBe('two')
    await one.asked[0]?.gone
    expect(health.isReady(candidate('one'))).toBe(true)
  })

  test('that answers after all is used, and the second one is aborted', async () => {
    const late = Promise.withResolvers<ServerResponse>()
    one.state.answer = (res) => late.resolve(res)
    two.state.answer = silent
    const answered = answeredBy(hedged())
    await until('the second is asked', () => two.asked.length === 1)
    says(200)(await late.promise)
    expect(await answered).toBe('one')
    await two.asked[0]?.gone
  })

  test('is waited for when the second one fails', async () => {
    const late = Promise.withResolvers<ServerResponse>()
    one.state.answer = (res) => late.resolve(res)
    two.state.answer = says(500)
    const answered = answeredBy(hedged())
    await until('the second has failed', () => logged.includes('warn: an upstream refused a call'))
    says(200)(await late.promise)
    expect(await answered).toBe('one')
  })

  test('is not the default, and a client that leaves ends both calls', async () => {
    one.state.answer = silent
    two.state.answer = silent
    const gone = new AbortController()
    const answered = answeredBy(hedged(), gone.signal)
    await until('both are asked', () => two.asked.length === 1)
    gone.abort()
    await expect(answered).rejects.toThrow()
    await Promise.all([one.asked[0]?.gone, two.asked[0]?.gone])
    expect(candidate('one').upstream.hedgeAfterMs).toBeUndefined()
  })
})

test('a stream continues to its end even when the file no longer has its upstream', async () => {
  const head = Promise.withResolvers<ServerResponse>()
  one.state.answer = (res) => {
    res.writeHead(200).write('first, ')
    head.resolve(res)
  }
  const { upstream } = candidate('one')
  const signal = new AbortController().signal
  const { body } = await upstreams.send(upstream, { surface: 'chat', body: '{}', signal })
  await upstreams.refresh([])
  ;(await head.promise).end('last')
  expect(await body.text()).toBe('first, last')
})

test('an upstream whose entry in the file changes begins anew; the others continue as they were', async () => {
  const file = join(temporaryFolder('callboard-models-'), 'router.models.yaml')
  const write = (server: object, at: number) => {
    writeFileSync(file, JSON.stringify(modelsFile(one.url, [{ id: 'small', asks: ['small', 'small'] }], server)))
    utimesSync(file, at, at)
  }
  const models = new ModelSet(file)
  write({}, 1)
  await models.reload()
  const before = models.current
  const places = before.upstreams.map((upstream) => ({ upstream, model: 'small' }))
  for (const place of places) health.report(place, { kind: 'key_refused' })
  health.forget({ models: before, changed: changedSince(before, before) })
  expect(places.filter((place) => health.isReady(place))).toEqual([])
  write({ patienceMs: 1_000 }, 2)
  expect(await models.reload()).toBe('loaded')
  health.forget({ models: models.current, changed: changedSince(before, models.current) })
  expect(places.filter((place) => health.isReady(place))).toEqual(places)
})

test('upstreams of one origin share connections only when they connect alike; removed ones are closed', async () => {
  const [first, second] = [candidate('one').upstream, candidate('one', { connectTimeoutMs: 5_000 }).upstream]
  const signal = new AbortController().signal
  const send = async (upstream: UpstreamEntry) => {
    const { body } = await upstreams.send(upstream, { surface: 'chat', body: '{}', signal })
    return body.dump()
  }
  await Promise.all([send(first), send(second)])
  expect(new Set(one.sockets).size).toBe(2)
  await upstreams.refresh([second])
  await until('one connection is closed', () => one.sockets.filter(({ destroyed }) => destroyed).length === 1)
  await send(second)
  expect(one.asked.map(({ path }) => path)).toEqual(Array(3).fill('/v1/chat/completions'))
  expect(new Set(one.sockets).size).toBe(2)
})

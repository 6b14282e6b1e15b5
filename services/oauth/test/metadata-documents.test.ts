import { oauth as operations } from '@callboard/contract'
import { livenessProber } from '@callboard/liveness-prober'
import { openDatabase } from '@callboard/store'
import { granted, runOnce } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Config } from '../src/config.ts'
import { sweep } from '../src/jobs.ts'
import { clientById, keepDocument, sweepClients } from '../src/store/client.repository.ts'
import type { OauthTables } from '../src/store/tables.ts'
import { CALLBACK, type Document, type DocumentHost, documentHost } from './document-host.ts'
import { BASE_URL, goodRequest, owner, Stage } from './stage.ts'

const MINUTE = 60_000
const REFRESHES = { grant_types: ['authorization_code', 'refresh_token'] }

let host: DocumentHost
let stage: Stage

beforeAll(async () => {
  host = await documentHost()
  stage = await Stage.open({
    modules: [livenessProber],
    env: { PROBE_ALLOW_LOOPBACK: 'true', PROBE_TIMEOUT_MS: '500', CLIENT_DOCUMENT_ALLOW_LOOPBACK: 'true' },
  })
})
afterAll(async () => {
  await stage.close()
  await host.close()
})

const ask = ({ id }: { readonly id: string }) => stage.ask({ ...goodRequest(id), redirect_uri: CALLBACK })
const approved = ({ id }: Document) => stage.approved({ client_id: id } as never, { redirect_uri: CALLBACK })
const SHOWN = { request: { client: { documentHost: expect.any(String) } } }

describe('a client known by its document', () => {
  test('is shown to the owner with the host of the document and the host of the answer', async () => {
    const document = host.put({ client_name: 'A «client»', scope: 'mcp:call openid' })
    expect(await stage.ask({ ...goodRequest(document.id), scope: undefined })).toEqual({
      request: {
        client: { id: document.id, name: 'A «client»', documentHost: host.host },
        redirect: { host: 'client.example', formAction: 'https://client.example', to: 'site' },
        scopes: ['mcp:call'],
        audience: BASE_URL,
        lifetimes: { accessTokenSeconds: 3_600, unusedDays: null, mostDays: null },
        allowedBefore: false,
      },
    })
  })

  test('gets tokens and refreshes them like a registered public client, while its document is read once', async () => {
    const document = host.put(REFRESHES)
    const tokens = granted(await stage.token(await approved(document)))
    expect(await stage.callerOf(tokens.access_token)).toMatchObject({
      ...{ kind: 'client', owner, clientId: document.id, scopes: ['mcp:call'], audience: BASE_URL },
    })
    const refresh = { client_id: document.id, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect(await stage.token(refresh)).toMatchObject({ token_type: 'Bearer' })
    expect(document.reads()).toBe(1)
  })

  test('refreshes when its document is stale and can no longer be read', async () => {
    const document = host.put(REFRESHES)
    const { refresh_token } = granted(await stage.token(await approved(document)))
    document.answer((res) => res.writeHead(404).end())
    stage.clock.advance(8 * 24 * 60 * MINUTE)
    expect(await stage.token({ client_id: document.id, grant_type: 'refresh_token', refresh_token })).toMatchObject({
      token_type: 'Bearer',
    })
    expect(document.reads()).toBe(1)
  })

  test('invalid_client: at the token endpoint, when no owner was ever asked or a secret is sent', async () => {
    const [unknown, asked] = [host.put(), host.put()]
    await ask(asked)
    const code = { code: 'x', code_verifier: 'x' }
    expect(await stage.token({ client_id: unknown.id, ...code })).toMatchObject({ refusal: 'invalid_client' })
    expect(await stage.token({ client_id: asked.id, client_secret: 'x', ...code })).toMatchObject({
      refusal: 'invalid_client',
    })
    expect(unknown.reads()).toBe(0)
  })

  test('unauthorized: no token manages it', async () => {
    const { id } = host.put()
    await ask({ id })
    for (const registration_access_token of [undefined, '', 'null']) {
      const input = { clientId: id, registration_access_token }
      expect(await stage.call(operations.readClient, input)).toMatchObject({ refusal: 'unauthorized' })
      expect(await stage.call(operations.deleteClient, input)).toMatchObject({ refusal: 'unauthorized' })
    }
  })

  test('invalid_request: a redirect URI that is not in its document', async () => {
    const { id } = host.put()
    const elsewhere = { ...goodRequest(id), redirect_uri: 'https://evil.example/callback' }
    expect(await stage.ask(elsewhere)).toMatchObject({ refusal: 'invalid_request', field: 'redirect_uri' })
  })

  test('is removed with the other unused clients', async () => {
    const { db, close } = openDatabase<OauthTables>({
      ...{ url: stage.database.url, schema: 'oauth', maxConnections: 1 },
      onError: (error) => {
        throw error
      },
    })
    const [idle, holding] = [host.put(), host.put(REFRESHES)]
    await ask(idle)
    await stage.token(await approved(holding))
    const now = new Date(stage.clock.now() + MINUTE)
    await sweepClients(db, now, now)
    expect(await clientById(db, idle.id)).toBeUndefined()
    expect(await clientById(db, holding.id)).toBeDefined()
    await close()
  })
})

test('documents to which no owner granted anything are removed an hour later, whatever they say, and read again', async () => {
  const headers = { 'cache-control': 'max-age=604800' }
  const [named, asking, allowed] = [host.put({}, headers), host.put({}, headers), host.put(REFRESHES, headers)]
  await ask(named)
  await approved(asking)
  await stage.token(await approved(allowed))
  const known = async () => {
    const rows = await stage.database.query<{ id: string }>('select id from oauth.client')
    return [named, asking, allowed].map(({ id }) => rows.some((row) => row.id === id))
  }
  stage.clock.advance(60 * MINUTE)
  await runOnce(sweep, stage.context)
  expect(await known()).toEqual([true, true, true])
  stage.clock.advance(1)
  await runOnce(sweep, stage.context)
  expect(await known()).toEqual([false, true, true])
  expect(await ask(named)).toMatchObject(SHOWN)
  expect(named.reads()).toBe(2)
})

describe('a document', () => {
  test.each([
    ['as long as it says', { 'cache-control': 'max-age=600' }, 10 * MINUTE],
    ['for an hour when it says nothing', {}, 60 * MINUTE],
    ['for the length of one flow when it says never', { 'cache-control': 'no-store' }, 5 * MINUTE],
    ['for a week when it says longer', { 'cache-control': 'max-age=31536000' }, 7 * 24 * 60 * MINUTE],
  ])('is used as it was read %s, and then read again', async (_what, headers, ms) => {
    const document = host.put({}, headers)
    for (let n = 0; n < 3; n += 1) expect(await ask(document)).toMatchObject(SHOWN)
    document.change({ client_name: 'Another name' })
    stage.clock.advance(ms - 1)
    expect(await ask(document)).toMatchObject({ request: { client: { name: 'A client' } } })
    expect(document.reads()).toBe(1)
    stage.clock.advance(1)
    expect(await ask(document)).toMatchObject({ request: { client: { name: 'Another name' } } })
    expect(document.reads()).toBe(2)
  })

  test('that drops a redirect URI is no longer answered there', async () => {
    const document = host.put({}, { 'cache-control': 'no-store' })
    expect(await ask(document)).toMatchObject(SHOWN)
    document.change({ redirect_uris: ['https://client.example/other'] })
    stage.clock.advance(5 * MINUTE)
    const asked = { ...goodRequest(document.id), redirect_uri: CALLBACK }
    expect(await stage.decide(asked, { verdict: 'approve', scopes: ['mcp:call'] })).toMatchObject({
      ...{ refusal: 'invalid_request', field: 'redirect_uri' },
    })
  })

  test.each<[string, string, Parameters<Document['answer']>[0]]>([
    ['temporarily_unavailable', 'that is not answered', (res) => res.destroy()],
    ['temporarily_unavailable', 'that is not answered in time', () => {}],
    ['temporarily_unavailable', 'whose server answers 503', (res) => res.writeHead(503).end()],
    ['temporarily_unavailable', 'whose server answers 429', (res) => res.writeHead(429).end()],
    ['invalid_request', 'that is gone', (res) => res.writeHead(404).end()],
    ['invalid_request', 'that redirects', (res) => res.writeHead(302, { location: '/client-0.json' }).end()],
    ['invalid_request', 'that is no JSON', (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    [
      'invalid_request',
      'of more than 5 KiB',
      (res) => res.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(5 * 1024 + 1)),
    ],
  ])('%s: one %s, and nothing of the failure is kept', async (refusal, _what, instead) => {
    const document = host.put()
    document.answer(instead)
    const refused = {
      refusal,
      field: 'client_id',
      message: expect.stringMatching(/^The metadata document of the client /),
    }
    expect(await ask(document)).toMatchObject(refused)
    document.answer(undefined)
    expect(await ask(document)).toMatchObject(SHOWN)
    stage.clock.advance(60 * MINUTE)
    document.answer(instead)
    expect(await ask(document), 'what is stale is not taken for want of better').toMatchObject(refused)
    const decided = await stage.decide({ ...goodRequest(document.id) }, { verdict: 'approve', scopes: ['mcp:call'] })
    expect(decided).toMatchObject(refused)
  })

  test('invalid_request: a document that names another client, whatever else it says', async () => {
    const other = host.put()
    const document = host.put({ client_id: other.id })
    expect(await ask(document)).toMatchObject({ refusal: 'invalid_request', field: 'client_id' })
    expect(await ask(other)).toMatchObject(SHOWN)
  })

  test.each([
    ['without a path', () => `http://${host.host}`],
    ['with credentials', () => `http://user@${host.host}/client-0.json`],
    ['with a fragment', () => `http://${host.host}/client-0.json#part`],
    ['with dot segments', () => `http://${host.host}/a/../client-0.json`],
    ['http elsewhere', () => 'http://client.example/client-0.json'],
    ['on a private address', () => 'https://10.0.0.1/client-0.json'],
  ])('invalid_request: a client id that is a URL %s', async (_what, id) => {
    expect(await ask({ id: id() })).toMatchObject({ refusal: 'invalid_request', field: 'client_id' })
  })

  test('is read once for concurrent requests', async () => {
    const document = host.put()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(document)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(20)
    expect(document.reads()).toBe(1)
    stage.clock.advance(60 * MINUTE)
    await Promise.all(Array.from({ length: 20 }, () => ask(document)))
    expect(document.reads()).toBe(2)
  })

  test('is kept in the version read later, whichever read ends last', async () => {
    const { db, close } = openDatabase<OauthTables>({
      ...{ url: stage.database.url, schema: 'oauth', maxConnections: 4 },
      onError: (error) => {
        throw error
      },
    })
    const { id } = host.put()
    const metadata = (client_name: string) => ({
      ...{ client_name, redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' as const },
      ...{ grant_types: ['authorization_code' as const], response_types: ['code' as const] },
    })
    const readAt = (seconds: number) => {
      const now = new Date(stage.clock.now() + seconds * 1_000)
      return keepDocument(db, { id, metadata: metadata(`read at ${seconds}`), now, freshUntil: now })
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => readAt((n * 7) % 20)))
    await readAt(3)
    expect(await clientById(db, id)).toMatchObject({ metadata: { client_name: 'read at 19' } })
    await close()
  })
})

test('temporarily_unavailable: without the prober, for a document that must be read, and for no other client', async () => {
  const alone = await Stage.open({ env: { CLIENT_DOCUMENT_ALLOW_LOOPBACK: 'true' } })
  const document = host.put()
  expect(await alone.ask(goodRequest(document.id))).toMatchObject({ refusal: 'temporarily_unavailable' })
  expect(await alone.ask(goodRequest((await alone.register()).client_id))).toMatchObject({ request: {} })
  expect(document.reads()).toBe(0)
  await alone.close()
})

test('http documents on loopback are only for the devnet', async () => {
  const strict = await Stage.open({ modules: [livenessProber], env: { PROBE_ALLOW_LOOPBACK: 'true' } })
  const document = host.put()
  expect(await strict.ask(goodRequest(document.id))).toMatchObject({
    ...{ refusal: 'invalid_request', message: 'The client_id must be an https URL.' },
  })
  expect(document.reads()).toBe(0)
  await strict.close()
  const settings = {
    BASE_URL,
    RPC_URLS: '{"eip155:8453":["https://rpc.example"]}',
    CLIENT_DOCUMENT_ALLOW_LOOPBACK: 'true',
  }
  expect(Config.safeParse(settings).error?.issues).toMatchObject([{ path: ['CLIENT_DOCUMENT_ALLOW_LOOPBACK'] }])
})

import { agentClientId, DEVICE_CODE_GRANT, oauth as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { agentsStandIn } from './agents-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const stand = agentsStandIn()
const clientId = agentClientId(wallet(3).address)
let edge: Edge

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), {
    modules: [stand.module],
    env: { RATE_LIMITS: JSON.stringify({ link: { burst: 100, perMinute: 100 } }) },
  })
})
afterAll(() => edge.stop())

const FORM = 'application/x-www-form-urlencoded'
const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(edge.base + path, { method: 'POST', body, headers: { 'content-type': FORM, ...headers } })
const form = (members: Record<string, string>) => new URLSearchParams(members).toString()
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

async function deviceCode(): Promise<string> {
  const grant = granted(await edge.services.call(operations.createGrant, { clientId, scopes: ['mcp:call'] }))
  return grant.deviceCode
}
const poll = async (members: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  post('/oauth/token', form({ grant_type: DEVICE_CODE_GRANT, device_code: await deviceCode(), ...members }), headers)

describe('a body', () => {
  const asked = { agent_message: 'm', agent_signature: '0x00', label: 'a-label', trust_device: 'true', device: '' }

  test('is JSON or a form, whose values are parsed and whose empty ones count as absent', async () => {
    const answer = await post(
      '/oauth/device_authorization',
      form({ ...asked, router_allowance_usd: '2.50', unknown: 'x' }),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const input = stand.asked.at(-1)?.input as Record<string, unknown>
    expect(input).toMatchObject({ label: 'a-label', trust_device: true, router_allowance_usd: 2.5 })
    expect(input).not.toHaveProperty('device')
    const { device: _, ...json } = asked
    const asJson = await post('/oauth/device_authorization', JSON.stringify({ ...json, unknown: 1 }), {
      'content-type': 'application/json; charset=utf-8',
    })
    expect(asJson.status).toBe(200)
    const withCharset = await post('/oauth/device_authorization', form(asked), {
      'content-type': `${FORM};charset=UTF-8`,
    })
    expect(withCharset.status).toBe(200)
  })

  test('may name several resources, which alone among the parameters may be repeated', async () => {
    const ask = async (...resources: string[]) => {
      const named = resources.map((one) => `&resource=${encodeURIComponent(one)}`).join('')
      const code = await deviceCode()
      const answer = await post(
        '/oauth/token',
        `${form({ grant_type: DEVICE_CODE_GRANT, device_code: code, client_id: clientId })}${named}`,
      )
      return ((await answer.json()) as { error: string }).error
    }
    const mcp = `${edge.base}/mcp`
    for (const ours of [
      [edge.base, mcp],
      [mcp, mcp],
      ['', mcp],
      [mcp, ''],
    ])
      expect(await ask(...ours)).toBe('authorization_pending')
    expect(await ask(mcp, 'https://elsewhere.example')).toBe('invalid_target')
    expect(await ask(...Array.from({ length: 9 }, (_, at) => `${mcp}/${at}`))).toBe('invalid_request')
  })

  test('400 invalid_request: a repeated parameter is named', async () => {
    for (const again of ['label=a&label=b', 'label=&label=b']) {
      const answer = await post('/oauth/device_authorization', `agent_message=m&agent_signature=0x00&${again}`)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        error: 'invalid_request',
        error_description: 'label: is given more than once',
      })
    }
  })

  test('400 invalid_request: a label of 10 kB, and a missing one', async () => {
    for (const label of ['a'.repeat(10_000), '', 'Ü', '__proto__']) {
      const answer = await post('/oauth/device_authorization', form({ ...asked, label }))
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringMatching(/^label: /),
      })
    }
  })

  test('413 payload_too_large: a label of 1 MB, as a form and as JSON', async () => {
    const label = 'a'.repeat(1_000_000)
    const answers = [
      await post('/oauth/device_authorization', form({ ...asked, label })),
      await post('/oauth/device_authorization', JSON.stringify({ ...asked, label }), {
        'content-type': 'application/json',
      }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ error: 'payload_too_large', error_description: expect.any(String) })
    }
  })

  test.each([
    'text/plain',
    `${FORM}x`,
    `text/plain; a=${FORM}`,
    'application/jsonp',
    'multipart/form-data; boundary=a',
  ])('415 unsupported_media_type: %s', async (type) => {
    const answer = await post('/oauth/token', 'grant_type=a', { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ error: 'unsupported_media_type' })
  })

  test('400 invalid_request: parameters are not read from the query', async () => {
    const answer = await post(`/oauth/token?client_id=${clientId}`, form({ grant_type: 'refresh_token' }))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/^client_id: /),
    })
  })

  test('400 invalid_request: a body that is empty, or that pollutes prototypes', async () => {
    expect((await post('/oauth/token', '')).status).toBe(400)
    expect((await post('/oauth/token', '__proto__=a&constructor=b')).status).toBe(400)
  })

  test('415: routes without forms still accept none', async () => {
    expect((await post('/api/auth/session', 'message=1')).status).toBe(415)
  })
})

describe('client authentication', () => {
  test('the id may be in the body, or in Basic credentials, whose scheme is case-insensitive', async () => {
    const asBody = await poll({ client_id: clientId })
    expect(await asBody.json()).toMatchObject({ error: 'authorization_pending' })
    const scheme = basic(clientId.replace('_', '%5F'), '').replace('Basic', 'bASIC')
    expect(await (await poll({}, { authorization: scheme })).json()).toMatchObject({ error: 'authorization_pending' })
  })

  test('an empty secret is not a secret, and a bearer is not client authentication', async () => {
    const empty = await poll({ client_id: clientId, client_secret: '' })
    expect(await empty.json()).toMatchObject({ error: 'authorization_pending' })
    const bearer = await poll({ client_id: clientId }, { authorization: 'Bearer at_old' })
    expect(await bearer.json()).toMatchObject({ error: 'authorization_pending' })
  })

  test('the same id may be in both places', async () => {
    const answer = await poll({ client_id: clientId }, { authorization: basic(clientId, '') })
    expect(await answer.json()).toMatchObject({ error: 'authorization_pending' })
  })

  test.each([
    ['another id', { client_id: 'other' }, 'client_id'],
    ['a secret', { client_secret: 'x' }, 'client_secret'],
  ])('400 invalid_request: Basic credentials alongside %s in the body', async (_what, members, field) => {
    const answer = await poll(members as Record<string, string>, { authorization: basic(clientId, '') })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(await answer.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(`^${field}: `),
    })
  })

  test.each([
    ['nothing after the scheme', 'Basic'],
    ['no base64', 'Basic ***'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
    ['no id', basic('', 'x')],
    ['a broken escape', basic('%zz', '')],
    ['a client that has no secret', basic(clientId, 'secret')],
    ['an unknown client', basic('nobody', 'secret')],
  ])('401 invalid_client: %s is challenged with Basic', async (_what, authorization) => {
    const answer = await poll({}, { authorization })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="callboard", charset="UTF-8"')
    expect(await answer.json()).toMatchObject({ error: 'invalid_client', error_description: expect.any(String) })
  })

  test('401 invalid_client: a client identified in the body is not challenged', async () => {
    const answer = await poll({ client_id: 'nobody' }, { authorization: 'Bearer at_old' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
  })
})

test('400 slow_down: carries the interval, and neither a challenge nor a Retry-After', async () => {
  const device_code = await deviceCode()
  const again = () => post('/oauth/token', form({ grant_type: DEVICE_CODE_GRANT, device_code, client_id: clientId }))
  expect(await (await again()).json()).toMatchObject({ error: 'authorization_pending' })
  const answer = await again()
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ error: 'slow_down', error_description: expect.any(String), interval: 10 })
  expect(answer.headers.get('www-authenticate')).toBeNull()
  expect(answer.headers.get('retry-after')).toBeNull()
})

test('tokens are never cached, and work at once', async () => {
  const { refresh_token: refresh = '' } = await edge.link(6, 1, ['mcp:call'])
  const client_id = agentClientId(wallet(6).address)
  const answer = await post('/oauth/token', form({ grant_type: 'refresh_token', refresh_token: refresh, client_id }))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const self = await fetch(`${edge.base}/api/agents/self`, { headers: { authorization: `Bearer ${token}` } })
  expect(await self.json()).toMatchObject({ clientId: client_id })
})

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const messageOf = async (answer: Response) => {
  expect(answer.status).toBe(400)
  const { error, message } = (await answer.json()) as { error: string; message: string }
  expect(error).toBe('invalid_request')
  return message
}

describe.each([
  ['/api/call/discovery', 'limit', 1, 50],
  ['/api/call/services', 'limit', 1, 100],
  ['/api/calls/search', 'limit', 1, 100],
  ['/api/call/activity', 'limit', 1, 100],
  ['/x402/discovery/resources', 'limit', 1, 100],
  ['/x402/discovery/resources', 'offset', 0, 100_000],
  ['/x402/discovery/search?query=x', 'limit', 1, 100],
])('%s: %s', (path, field, least, most) => {
  const ask = (query: string) => fetch(`${edge.base}${path}${path.includes('?') ? '&' : '?'}${query}`)

  test.each(['abc', '1.5', '0x10', '1e1', '%2010', '10%20', '', '%2B5', '-0', '010', 'NaN', 'null', '٣'])(
    '=%s is not a whole number',
    async (text) => {
      expect(await messageOf(await ask(`${field}=${text}`))).toBe(`${field}: must be a whole number`)
    },
  )

  test('is refused beyond its bounds, and when given twice', async () => {
    const bounds = `must be between ${least} and ${most}`
    expect(await messageOf(await ask(`${field}=${most + 1}`))).toBe(`${field}: ${bounds}`)
    expect(await messageOf(await ask(`${field}=${'9'.repeat(40)}`))).toBe(`${field}: ${bounds}`)
    expect(await messageOf(await ask(`${field}=-1`))).toBe(`${field}: ${bounds}`)
    if (least > 0) expect(await messageOf(await ask(`${field}=0`))).toBe(`${field}: ${bounds}`)
    expect(await messageOf(await ask(`${field}=5&${field}=6`))).toBe(`${field}: is given more than once`)
  })
})

describe('other query parameters', () => {
  test.each([
    ['/api/call/discovery?q=a&q=b', 'q: is given more than once'],
    ['/api/call/discovery?includeUnverified=yes', 'includeUnverified: must be true or false'],
    ['/api/call/discovery?includeUnverified=true&includeUnverified=true', 'includeUnverified: is given more than once'],
    ['/api/auth/siwe-nonce?purpose=login&purpose=login', 'purpose: is given more than once'],
  ])('%s', async (path, message) => {
    expect(await messageOf(await fetch(edge.base + path))).toBe(message)
  })
})

describe('a body', () => {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return messageOf(await fetch(edge.base + path, { method: 'POST', headers, body: JSON.stringify(body) }))
  }

  test.each([
    [{ message: null, signature: '0x00' }, 'message: must be text, and is null'],
    [{ message: 5, signature: '0x00' }, 'message: must be text, and is a number'],
    [{ message: ['a'], signature: '0x00' }, 'message: must be text, and is a list'],
    [{ message: {}, signature: '0x00' }, 'message: must be text, and is an object'],
    [{ signature: '0x00' }, 'message: is required'],
  ])('of a sign-in: %j', async (body, message) => {
    expect(await post('/api/auth/session', body)).toBe(message)
  })
})

describe('a route that only a cookie opens', () => {
  test('asks for the cookie, not for a bearer', async () => {
    for (const headers of [{}, { authorization: 'Bearer cb_key_nonsense' }] as Record<string, string>[]) {
      const answer = await fetch(`${edge.base}/api/keys`, { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe(
        `Cookie realm="callboard", form-action="${edge.base}/signin", cookie-name="callboard"`,
      )
    }
  })
})

describe('a credential that is not accepted', () => {
  const said = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(edge.base + path, { headers })
    expect(answer.status).toBe(401)
    const { message } = (await answer.json()) as { message: string }
    return { message, challenge: answer.headers.get('www-authenticate') }
  }

  test.each([
    ['/api/call/listings/mine', 'an API key (cb_key_) or an access token (cb_access_), as Authorization: Bearer'],
    ['/api/agents/self', 'an agent’s access token (cb_access_), as Authorization: Bearer'],
    ['/api/keys', 'an owner’s session, which you open by signing in: POST /api/auth/session'],
  ])('%s says which one it takes, and whether one came', async (path, wanted) => {
    expect((await said(path)).message).toBe(`The request has no credential. This route takes ${wanted}.`)
    const { message, challenge } = await said(path, { authorization: 'Bearer cb_router_of-another-kind' })
    expect(message).toBe(`The credential is unknown, expired, revoked or of another kind. This route takes ${wanted}.`)
    expect(challenge).not.toContain('?')
  })
})

describe('a wrong base URL for language models', () => {
  test.each(['/chat/completions', '/v1/v1/messages', '/models?limit=3', '/api/v1/embeddings'])(
    '404 of %s says which one is right, where OpenAI’s clients show it',
    async (path) => {
      const answer = await fetch(edge.base + path, { method: 'POST' })
      expect(answer.status).toBe(404)
      const { error } = (await answer.json()) as { error: { code: string; message: string } }
      expect(error.code).toBe('not_found')
      expect(error.message).toContain(`The base URL of OpenAI’s clients is ${edge.base}/v1 here`)
    },
  )

  test('another path, and a route of ours with the same ending, get the usual answer', async () => {
    expect(await (await fetch(`${edge.base}/chat`)).json()).toMatchObject({ error: 'not_found' })
    const posted = await fetch(`${edge.base}/api/router/models`, { method: 'POST' })
    expect(await posted.json()).toMatchObject({ error: 'method_not_allowed' })
    expect(await (await fetch(`${edge.base}/api/router/models?q=1`)).json()).toMatchObject({ error: 'invalid_request' })
  })
})

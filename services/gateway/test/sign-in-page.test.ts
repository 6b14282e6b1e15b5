import { signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const open = async (query = '', headers: Record<string, string> = {}) => {
  const answer = await fetch(`${edge.base}/signin${query}`, { headers })
  return { answer, html: await answer.text() }
}

test('runs one script of our own and nothing else, and cannot be framed', async () => {
  const { answer, html } = await open()
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
  ]) {
    expect(policy.split('; ')).toContain(part)
  }
  expect(policy).not.toContain('unsafe')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/signin.js">'])
  expect(html).not.toMatch(/\son\w+=|style="/)
  const script = await fetch(`${edge.base}/signin.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('x-content-type-options')).toBe('nosniff')
})

test('leads back only to a path of our own', async () => {
  expect((await open('?return_to=%2Flink%3Fuser_code%3DBCDF-GHJK')).html).toContain(
    'data-return-to="/link?user_code=BCDF-GHJK"',
  )
  for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/"><b>']) {
    const { html } = await open(`?return_to=${encodeURIComponent(evil)}`)
    expect(html).not.toMatch(/evil|alert|<b>/)
  }
  expect((await open('?return_to=%2Fa&return_to=%2Fb')).html).toContain('data-return-to="/account"')
})

test('says who is signed in', async () => {
  const cookie = await edge.signIn(2)
  const { html } = await open('', { cookie })
  expect(html).toContain(wallet(2).address)
  expect(html).toContain('Sign out')
  expect((await open()).html).not.toContain('Sign out')
})

describe('signing in while signed in', () => {
  async function signInAgain(cookie: string, more: object = {}) {
    const { nonce } = (await (await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=login`)).json()) as {
      nonce: string
    }
    const signed = await signedMessage(wallet(3), { purpose: 'login', nonce, baseUrl: edge.base })
    return fetch(`${edge.base}/api/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ ...signed, ...more }),
    })
  }
  const sessionOf = (cookie: string) => fetch(`${edge.base}/api/auth/session`, { headers: { cookie } })

  test('gives another cookie, and the previous one is worthless from then on', async () => {
    const before = await edge.signIn(3)
    expect((await sessionOf(before)).status).toBe(200)
    const after = (await signInAgain(before)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(after).not.toBe(before)
    expect((await sessionOf(before)).status).toBe(401)
    expect((await sessionOf(after)).status).toBe(200)
    const listed = (await (await fetch(`${edge.base}/api/auth/sessions`, { headers: { cookie: after } })).json()) as {
      sessions: { current: boolean }[]
    }
    expect(listed.sessions).toMatchObject([{ current: true }])
  })

  test('reads the session that it replaces only from the cookie', async () => {
    const other = await edge.signIn(4)
    const answer = await signInAgain('', { replacedSession: other.split('=')[1] })
    expect(answer.status).toBe(200)
    expect((await sessionOf(other)).status).toBe(200)
    expect((await signInAgain(`callboard=${'a'.repeat(1_000)}`)).status).toBe(200)
  })
})

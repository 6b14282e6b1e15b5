import { fakeClock } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const HOUR_MS = 3_600_000

describe('the session cookie', () => {
  const clock = fakeClock()
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge(inject('postgresUrl'), {
      clock,
      env: { INTROSPECTION_CACHE_MS: '0', SESSION_IDLE_HOURS: '24', SESSION_MAX_HOURS: '60' },
    })
  })
  afterAll(() => edge.stop())

  /** The remaining lifetime of a cookie after a request with it; undefined if it is not renewed. */
  async function renewed(cookie: string, path: string): Promise<number | undefined> {
    const answer = await fetch(edge.base + path, { headers: { cookie } })
    const [line, more] = answer.headers.getSetCookie()
    expect(more).toBeUndefined()
    if (line === undefined) return undefined
    expect(line).toContain(`${cookie}; Path=/; Expires=`)
    expect(line).toContain('; HttpOnly; SameSite=Lax')
    return Math.round((Date.parse(/Expires=([^;]+)/.exec(line)?.[1] ?? '') - clock.now()) / HOUR_MS)
  }

  test.each(['/link', '/signin', '/api/auth/session', '/api/keys'])(
    'is renewed on use, within the bounds of the session: %s',
    async (path) => {
      const cookie = await edge.signIn(1)
      clock.advance(20 * HOUR_MS)
      expect(await renewed(cookie, path)).toBe(24)
      expect(await renewed(cookie, path)).toBeUndefined()
      clock.advance(20 * HOUR_MS)
      expect(await renewed(cookie, path)).toBe(20)
    },
  )

  test('is not returned at sign-out, nor for a session that is over', async () => {
    const cookie = await edge.signIn(1)
    clock.advance(HOUR_MS)
    const out = await fetch(`${edge.base}/api/auth/session`, {
      method: 'DELETE',
      headers: { cookie, origin: edge.base },
    })
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^callboard=; Max-Age=0;/)])
    expect(await renewed(cookie, '/link')).toBeUndefined()
  })
})

describe('the headers that tell a browser about this origin', () => {
  const headerOf = async (base: string, path: string, header: string) => (await fetch(base + path)).headers.get(header)

  test('pages share no window with other origins, except that a wallet may open one at sign-in', async () => {
    const edge = await startEdge(inject('postgresUrl'))
    try {
      for (const path of ['/', '/link', '/oauth/authorize', '/account', '/docs', '/docs/probes']) {
        expect(await headerOf(edge.base, path, 'cross-origin-opener-policy'), path).toBe('same-origin')
      }
      expect(await headerOf(edge.base, '/signin', 'cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(await headerOf(edge.base, '/', 'strict-transport-security')).toBeNull()
    } finally {
      await edge.stop()
    }
  })

  test('over https, every answer requires https from then on', async () => {
    const edge = await startEdge(inject('postgresUrl'), { env: { BASE_URL: 'https://callboard.example' } })
    try {
      for (const path of ['/', '/api/nothing', '/oauth/token', '/openapi.json']) {
        expect(await headerOf(edge.base, path, 'strict-transport-security'), path).toBe('max-age=31536000')
      }
    } finally {
      await edge.stop()
    }
  })
})

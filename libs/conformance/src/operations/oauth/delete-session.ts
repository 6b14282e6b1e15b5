import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { cookieOf, presentLogin } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/session'

export const deleteSession: Register = (target) => {
  test('signs out a same-origin request only; then the cookie is deleted and invalid', async () => {
    const { origin } = new URL(target().baseUrl)
    const cookie = cookieOf(await presentLogin(target(), newAccount()))
    const client = new Client(target().baseUrl, { cookie })

    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://callboard.example' },
      { origin: 'null' },
      { origin, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      refused(oauth.deleteSession, await client.delete(PATH, { headers }), 403, 'origin_mismatch', 'origin')
    }
    expect((await client.get(PATH)).status).toBe(200)

    const answer = await client.delete(PATH, { headers: { origin } })
    accepted(oauth.deleteSession, answer)
    expect(answer.headers.getSetCookie()[0]).toMatch(/callboard=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
    refused(oauth.deleteSession, await client.delete(PATH, { headers: { origin } }), 401, 'unauthorized')
  })
}

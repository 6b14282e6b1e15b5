import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { cookieOf, presentLogin } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/console-token'
const MINE = '/api/call/listings/mine'

export const consoleToken: Register = (target) => {
  test('returns a token for the listing routes that ends with its session', async () => {
    const { origin } = new URL(target().baseUrl)
    const cookie = cookieOf(await presentLogin(target(), newAccount()))
    const session = new Client(target().baseUrl, { cookie, origin })
    const { access_token, scope } = accepted(oauth.consoleToken, await session.post(PATH, {}))
    expect(scope).toBe('call.publish')
    const bearer = new Client(target().baseUrl, { authorization: `Bearer ${access_token}` })
    expect((await bearer.get(MINE)).status).toBe(200)
    expect((await bearer.get('/api/agents/self')).status).toBe(401)
    expect((await session.delete('/api/auth/session')).status).toBe(204)
    expect((await bearer.get(MINE)).status).toBe(401)
  })

  test('403 origin_mismatch: a request from another site', async () => {
    const cookie = cookieOf(await presentLogin(target(), newAccount()))
    const session = new Client(target().baseUrl, { cookie, origin: 'https://callboard.example' })
    refused(oauth.consoleToken, await session.post(PATH, {}), 403, 'origin_mismatch', 'origin')
  })

  test('401 unauthorized: without a cookie', async () => {
    const { origin } = new URL(target().baseUrl)
    refused(oauth.consoleToken, await new Client(target().baseUrl, { origin }).post(PATH, {}), 401, 'unauthorized')
  })
}

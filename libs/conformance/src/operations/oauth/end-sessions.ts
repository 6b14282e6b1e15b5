import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { allowedProgram, isTaken } from '../../actors/oauth-client.ts'
import { cookieOf, newOwner, presentLogin } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/sessions'

export const endSessions: Register = (target) => {
  test('ends every session including the current one, and counts what stays valid', async () => {
    const account = newAccount()
    const owner = await newOwner(target(), account)
    const elsewhere = new Client(target().baseUrl, { cookie: cookieOf(await presentLogin(target(), account)) })
    const { tokens } = await allowedProgram(target(), owner)
    const answer = await owner.session.delete(PATH)
    expect(accepted(oauth.endSessions, answer)).toEqual({
      ended: { sessions: 2, programs: 0 },
      stays: { programs: 1, agents: 0, apiKeys: 1 },
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(/Max-Age=0/)
    for (const session of [owner.session, elsewhere]) expect((await session.get('/api/auth/session')).status).toBe(401)
    expect(await isTaken(target(), tokens)).toBe(true)
  })

  test('grants=true also ends every program', async () => {
    const owner = await newOwner(target())
    const { tokens } = await allowedProgram(target(), owner)
    expect(accepted(oauth.endSessions, await owner.session.delete(`${PATH}?grants=true`))).toMatchObject({
      ended: { sessions: 1, programs: 1 },
      stays: { programs: 0 },
    })
    expect(await isTaken(target(), tokens)).toBe(false)
  })

  test('401 unauthorized: without a cookie', async () => {
    const { origin } = new URL(target().baseUrl)
    const answer = await new Client(target().baseUrl, { origin }).delete(PATH)
    refused(oauth.endSessions, answer, 401, 'unauthorized')
  })
}

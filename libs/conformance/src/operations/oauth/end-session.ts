import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { cookieOf, newOwner, presentLogin } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/sessions'

export const endSession: Register = (target) => {
  test('ends one of the owner’s sessions, and no other', async () => {
    const account = newAccount()
    const { origin } = new URL(target().baseUrl)
    const open = async () => new Client(target().baseUrl, { cookie: cookieOf(await presentLogin(target(), account)) })
    const [lost, mine] = [await open(), await open()]
    const { sessions } = accepted(oauth.listSessions, await mine.get(PATH))
    const other = sessions.find(({ current }) => !current)
    if (!other) throw new Error('there are two sessions')
    accepted(oauth.endSession, await mine.delete(`${PATH}/${other.id}`, { headers: { origin } }))
    expect((await lost.get('/api/auth/session')).status).toBe(401)
    expect((await mine.get('/api/auth/session')).status).toBe(200)
  })

  test('404 not_found: a session of another owner', async () => {
    const [{ session }, otherOwner] = [await newOwner(target()), await newOwner(target())]
    const { sessions } = accepted(oauth.listSessions, await otherOwner.session.get(PATH))
    refused(oauth.endSession, await session.delete(`${PATH}/${sessions[0]?.id}`), 404, 'not_found')
  })

  test('401 unauthorized: without a cookie', async () => {
    const { origin } = new URL(target().baseUrl)
    const answer = await new Client(target().baseUrl).delete(`${PATH}/any`, { headers: { origin } })
    refused(oauth.endSession, answer, 401, 'unauthorized')
  })
}

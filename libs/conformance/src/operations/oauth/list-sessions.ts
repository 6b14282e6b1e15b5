import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { cookieOf, presentLogin } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/sessions'

export const listSessions: Register = (target) => {
  test('lists the owner’s sessions, newest first, with where each was opened, and marks the current one', async () => {
    const account = newAccount()
    const cookies = [cookieOf(await presentLogin(target(), account)), cookieOf(await presentLogin(target(), account))]
    const [older, newer] = cookies.map((cookie) => new Client(target().baseUrl, { cookie }))
    if (!older || !newer) throw new Error('there are two sessions')
    const { sessions } = accepted(oauth.listSessions, await older.get(PATH))
    expect(sessions.map(({ current }) => current)).toEqual([false, true])
    expect(sessions.every(({ openedFrom }) => openedFrom.address !== '')).toBe(true)
    expect(accepted(oauth.listSessions, await newer.get(PATH)).sessions.map(({ current }) => current)).toEqual([
      true,
      false,
    ])
  })

  test('401 unauthorized: without a cookie', async () => {
    refused(oauth.listSessions, await new Client(target().baseUrl).get(PATH), 401, 'unauthorized')
  })
}

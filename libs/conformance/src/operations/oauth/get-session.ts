import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/session'

export const getSession: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('returns who is signed in', async () => {
    const { session, account } = await visitorOf(target())
    expect(accepted(oauth.getSession, await session.get(PATH)).owner).toBe(account.address)
  })

  test('401 unauthorized: without a cookie', async () => {
    refused(oauth.getSession, await client().get(PATH), 401, 'unauthorized')
  })

  test('401 unauthorized: an unknown cookie', async () => {
    const cookie = `callboard=cb_session_${'a'.repeat(43)}`
    refused(oauth.getSession, await client().with({ cookie }).get(PATH), 401, 'unauthorized')
  })

  test('401 unauthorized: an API key is not a session', async () => {
    const { api } = await visitorOf(target())
    refused(oauth.getSession, await api.get(PATH), 401, 'unauthorized')
  })
}

import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedCode, askToken, manages, newClient } from '../../actors/oauth-client.ts'
import { accepted, expectRefusal, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const deleteClient: Register = (target) => {
  test('after the 204 neither the client nor its tokens are accepted', async () => {
    const client = await newClient(target())
    const { api, path } = manages(target(), client)
    const redeemed = await askToken(target(), 'authorization_code', await allowedCode(target(), client))
    const { access_token, refresh_token } = redeemed.json() as { access_token: string; refresh_token: string }
    const bearer = new Client(target().baseUrl, { authorization: `Bearer ${access_token}` })
    expect((await bearer.get('/api/call/listings/mine')).json()).toMatchObject({ error: 'insufficient_scope' })
    accepted(oauth.deleteClient, await api.delete(path))
    expectRefusal(await bearer.get('/api/call/listings/mine'), 401, 'unauthorized')
    const { client_id } = client
    const again = await askToken(target(), 'refresh_token', { client_id, refresh_token })
    expect(again.json()).toMatchObject({ error: 'invalid_client' })
  })

  test('401 unauthorized: a second time, and for another client', async () => {
    const client = await newClient(target())
    const { api, path } = manages(target(), client)
    const other = api.with({ authorization: 'Bearer cb_registration_other' })
    refused(oauth.deleteClient, await other.delete(path), 401, 'unauthorized')
    accepted(oauth.deleteClient, await api.delete(path))
    refused(oauth.deleteClient, await api.delete(path), 401, 'unauthorized')
  })
}

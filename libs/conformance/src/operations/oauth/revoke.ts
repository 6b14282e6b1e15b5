import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedCode, askToken, newClient } from '../../actors/oauth-client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/oauth/revoke'

export const revoke: Register = (target) => {
  const post = (members: Record<string, string>) =>
    new Client(target().baseUrl).post(PATH, new URLSearchParams(members))

  test('ends the grant of a token, and accepts an invalid token without an error', async () => {
    const client = await newClient(target())
    const { client_id } = client
    const redeemed = await askToken(target(), 'authorization_code', await allowedCode(target(), client))
    const { refresh_token } = redeemed.json() as { refresh_token: string }
    expect(accepted(oauth.revoke, await post({ client_id, token: 'cb_refresh_unknown' }))).toEqual({})
    accepted(oauth.revoke, await post({ client_id, token: refresh_token, token_type_hint: 'access_token' }))
    const again = await askToken(target(), 'refresh_token', { client_id, refresh_token })
    expect(again.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('400 invalid_request: no token', async () => {
    refused(oauth.revoke, await post({}), 400, 'invalid_request')
  })

  test('401 invalid_client: an unknown client', async () => {
    refused(oauth.revoke, await post({ client_id: 'client_unknown', token: 'a' }), 401, 'invalid_client')
  })
}

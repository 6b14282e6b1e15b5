import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { METADATA, REDIRECT } from '../../actors/oauth-client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/oauth/register'

export const register: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('a public client has no secret, and its id cannot be mistaken for an agent’s', async () => {
    const registered = accepted(oauth.register, await client().post(PATH, METADATA))
    expect(registered).toMatchObject(METADATA)
    expect(registered).not.toHaveProperty('client_secret')
    expect(registered.client_id).not.toMatch(/^agent_/)
    expect(registered.registration_client_uri).toBe(`${target().baseUrl}${PATH}/${registered.client_id}`)
  })

  test('by default a client has a secret that does not expire, and uses authorization codes', async () => {
    expect(accepted(oauth.register, await client().post(PATH, { redirect_uris: [REDIRECT] }))).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
    })
  })

  test('400 invalid_redirect_uri: no list, and URIs that no browser may be sent to', async () => {
    for (const redirect_uris of [undefined, ['http://client.example/'], ['javascript:alert(1)'], [`${REDIRECT}#a`]]) {
      refused(oauth.register, await client().post(PATH, { redirect_uris }), 400, 'invalid_redirect_uri')
    }
  })

  test('400 invalid_client_metadata: grants that are not offered, unknown scopes', async () => {
    for (const more of [{ grant_types: ['implicit'] }, { scope: 'everything' }, { client_name: 7 }]) {
      refused(oauth.register, await client().post(PATH, { ...METADATA, ...more }), 400, 'invalid_client_metadata')
    }
  })
}

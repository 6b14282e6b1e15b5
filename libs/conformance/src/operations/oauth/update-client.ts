import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { METADATA, manages, newClient } from '../../actors/oauth-client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const updateClient: Register = (target) => {
  test('the new metadata replaces the old completely; a secret is created when one becomes necessary', async () => {
    const client = await newClient(target(), { scope: 'mcp:call' })
    const { api, path } = manages(target(), client)
    const { client_id } = client
    const next = { redirect_uris: ['https://client.example/next'], token_endpoint_auth_method: 'client_secret_post' }
    const changed = accepted(oauth.updateClient, await api.send('PUT', path, { body: { client_id, ...next } }))
    expect(changed).toMatchObject({ client_id, ...next, client_secret: expect.any(String) })
    expect(changed).not.toHaveProperty('scope')
  })

  test('401 unauthorized, 400 invalid_redirect_uri, 400 invalid_client_metadata: nothing changes', async () => {
    const client = await newClient(target())
    const { api, path } = manages(target(), client)
    const { client_id } = client
    for (const [status, code, asked, body] of [
      [401, 'unauthorized', api.with({ authorization: 'Bearer cb_registration_other' }), { client_id }],
      [400, 'invalid_redirect_uri', api, { client_id, redirect_uris: ['ftp://client.example'] }],
      [400, 'invalid_client_metadata', api, { client_id, client_name: 7 }],
      [400, 'invalid_client_metadata', api, { client_id: 'another' }],
    ] as const) {
      const answer = await asked.send('PUT', path, { body: { ...METADATA, ...body } })
      refused(oauth.updateClient, answer, status, code)
    }
    expect((await api.get(path)).json()).toEqual(client)
  })
}

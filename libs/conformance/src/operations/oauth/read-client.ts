import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { manages, newClient } from '../../actors/oauth-client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const readClient: Register = (target) => {
  test('returns the client as registered, without its secret', async () => {
    const { client_secret, client_secret_expires_at, ...client } = await newClient(target(), {
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(client_secret).toBeDefined()
    expect(client_secret_expires_at).toBe(0)
    const { api, path } = manages(target(), client)
    expect(accepted(oauth.readClient, await api.get(path))).toEqual(client)
  })

  test('401 unauthorized: without the registration token, and with another client’s', async () => {
    const [one, other] = [await newClient(target()), await newClient(target())]
    const { path } = manages(target(), one)
    for (const api of [new Client(target().baseUrl), manages(target(), other).api]) {
      refused(oauth.readClient, await api.get(path), 401, 'unauthorized')
    }
  })
}

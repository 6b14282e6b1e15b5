import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedProgram } from '../../actors/oauth-client.ts'
import { newOwner } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/grants'

export const listClientGrants: Register = (target) => {
  test('lists every program that the owner allowed, its scopes and expiry; the program’s name is a claim', async () => {
    const owner = await newOwner(target())
    expect(accepted(oauth.listClientGrants, await owner.session.get(PATH)).grants).toEqual([])
    const { client } = await allowedProgram(target(), owner)
    const { grants } = accepted(oauth.listClientGrants, await owner.session.get(PATH))
    expect(grants).toMatchObject([
      {
        client: { id: client.client_id, registeredBy: 'dynamic_registration' },
        claimed: { name: 'conformance' },
        redirectHosts: ['client.example'],
        scopes: ['mcp:call'],
      },
    ])
    const [{ expiresAt, endsAt } = { expiresAt: '', endsAt: '' }] = grants
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
    expect(Date.parse(endsAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt))
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await newOwner(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(oauth.listClientGrants, await client.get(PATH), 401, 'unauthorized')
    }
  })
}

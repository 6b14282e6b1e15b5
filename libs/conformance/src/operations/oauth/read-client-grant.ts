import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedProgram } from '../../actors/oauth-client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const readClientGrant: Register = (target) => {
  test('returns each grant of a program separately; 404 for another owner', async () => {
    const owner = await newOwner(target())
    const { client, grantId } = await allowedProgram(target(), owner)
    await allowedProgram(target(), owner, client)
    const path = `/api/auth/grants/${grantId}`
    const { grant } = accepted(oauth.readClientGrant, await owner.session.get(path))
    expect(grant.authorizations).toHaveLength(2)
    expect(grant).toMatchObject({ id: grantId, client: { id: client.client_id } })
    const { session } = await visitorOf(target())
    refused(oauth.readClientGrant, await session.get(path), 404, 'not_found')
  })

  test('401 unauthorized: without a session', async () => {
    const answer = await new Client(target().baseUrl).get('/api/auth/grants/any')
    refused(oauth.readClientGrant, answer, 401, 'unauthorized')
  })
}

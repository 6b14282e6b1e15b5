import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedProgram, askToken, isTaken } from '../../actors/oauth-client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const endClientGrant: Register = (target) => {
  test('after the 204 every token of the program is invalid; repeating it is no error', async () => {
    const owner = await newOwner(target())
    const { client, tokens, grantId } = await allowedProgram(target(), owner)
    const path = `/api/auth/grants/${grantId}`
    const visitor = await visitorOf(target())
    refused(oauth.endClientGrant, await visitor.session.delete(path), 404, 'not_found')
    const { client_id } = client
    const refresh = () => askToken(target(), 'refresh_token', { client_id, refresh_token: tokens.refresh_token ?? '' })
    expect(await isTaken(target(), tokens)).toBe(true)
    for (let time = 0; time < 2; time++) accepted(oauth.endClientGrant, await owner.session.delete(path))
    expect(await isTaken(target(), tokens)).toBe(false)
    expect((await refresh()).status).toBe(400)
    const { grants } = accepted(oauth.listClientGrants, await owner.session.get('/api/auth/grants'))
    expect(grants).toEqual([])
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    const path = '/api/auth/grants/any'
    refused(oauth.endClientGrant, await new Client(target().baseUrl).delete(path), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.delete(path, { headers: { origin: '' } })
    refused(oauth.endClientGrant, answer, 403, 'origin_mismatch', 'origin')
  })
}

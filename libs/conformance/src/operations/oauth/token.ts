import { DEVICE_CODE_GRANT, oauth, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, askToLink, decideAtPage, poll } from '../../actors/agent.ts'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { allowedCode, askToken, newClient } from '../../actors/oauth-client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { sending } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const op = oauth.token

const WITHOUT_ROUTER = APPROVAL.filter(([, value]) => value !== 'router.use')

export const token: Register = (target) => {
  test('a device code gives authorization_pending, slow_down when polled too early, and tokens once', async () => {
    const owner = await newOwner(target())
    const device = await askToLink(target(), newAccount())
    refused(op, await poll(target(), device), 400, 'authorization_pending')
    refused(op, await poll(target(), device), 400, 'slow_down')
    await decideAtPage(owner, device, APPROVAL)
    const tokens = accepted(op, await poll(target(), device))
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'mcp:call router.use',
      owner_wallet: owner.account.address,
    })
    expect(tokens.router_key_error).toBeUndefined()
    refused(op, await poll(target(), device), 400, 'invalid_grant')
  })

  test('the scope router.use adds a Router key on the allowance that works at once; without it there is none', async () => {
    const owner = await visitorOf(target())
    const device = await askToLink(target(), newAccount())
    await decideAtPage(owner, device, APPROVAL)
    const { router_key = '', router_base_url } = accepted(op, await poll(target(), device))
    expect(router_key).toMatch(/^cb_router_/)
    expect(router_base_url).toBe(new URL('/v1', target().baseUrl).href)
    const status = accepted(router.keyStatus, await sending(target(), router_key).bearer.get('/v1/key'))
    expect(status).toMatchObject({
      source: 'compute',
      limits: [{ limit: 'owner' }, { limit: 'agent', limitUsd: '2.5' }],
    })

    const other = await askToLink(target(), newAccount(), { scope: 'mcp:call' })
    await decideAtPage(owner, other, WITHOUT_ROUTER)
    expect(accepted(op, await poll(target(), other))).not.toHaveProperty('router_key')
  })

  test('400 access_denied: the owner refused', async () => {
    const device = await askToLink(target(), newAccount())
    await decideAtPage(await visitorOf(target()), device, [['decision', 'deny']])
    refused(op, await poll(target(), device), 400, 'access_denied')
  })

  test('a code gives tokens that refresh; every refresh token can be used once', async () => {
    const client = await newClient(target())
    const { client_id } = client
    const first = accepted(op, await askToken(target(), 'authorization_code', await allowedCode(target(), client)))
    const refresh = (refresh_token = '', more = {}) =>
      askToken(target(), 'refresh_token', { client_id, refresh_token, ...more })
    refused(op, await refresh(first.refresh_token, { scope: 'call.publish' }), 400, 'invalid_scope')
    const second = accepted(op, await refresh(first.refresh_token))
    const third = accepted(op, await refresh(second.refresh_token))
    refused(op, await refresh(first.refresh_token), 400, 'invalid_grant')
    // One of the two was stolen, so nothing of this grant may continue.
    refused(op, await refresh(third.refresh_token), 400, 'invalid_grant')
  })

  test('a confidential client authenticates in the header or in the body', async () => {
    const client = await newClient(target(), { token_endpoint_auth_method: 'client_secret_basic' })
    const { client_id, client_secret = '' } = client
    const { client_id: _, ...inHeader } = await allowedCode(target(), client)
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...inHeader })
    accepted(op, await new Client(target().baseUrl, { authorization: basic }).post('/oauth/token', body))
    const inBody = { ...(await allowedCode(target(), client)), client_secret }
    accepted(op, await askToken(target(), 'authorization_code', inBody))
  })

  test('401 invalid_client with a Basic challenge for a client that used Basic, without one for others', async () => {
    const { client_id } = await newClient(target(), { token_endpoint_auth_method: 'client_secret_basic' })
    const input = { code: 'unknown', code_verifier: 'unknown' }
    refused(op, await askToken(target(), 'authorization_code', { client_id, ...input }), 401, 'invalid_client')
    const basic = `Basic ${Buffer.from(`${client_id}:wrong`).toString('base64')}`
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...input })
    const answer = await new Client(target().baseUrl, { authorization: basic }).post('/oauth/token', body)
    refused(op, answer, 401, 'invalid_client')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  })

  test('400: grants that a client may not use, and malformed requests', async () => {
    const { client_id } = await newClient(target(), { grant_types: ['authorization_code'] })
    const code = { client_id, code: 'unknown', code_verifier: 'unknown' }
    for (const [error, grant, members] of [
      ['unsupported_grant_type', 'password', { client_id }],
      ['unauthorized_client', 'refresh_token', { client_id, refresh_token: 'unknown' }],
      ['unauthorized_client', DEVICE_CODE_GRANT, { client_id, device_code: 'unknown' }],
      ['invalid_request', 'authorization_code', { client_id }],
      ['invalid_request', 'authorization_code', { code: 'unknown' }],
      ['invalid_grant', 'authorization_code', code],
      ['invalid_target', 'authorization_code', { ...code, resource: 'https://elsewhere.example' }],
    ] as const) {
      refused(op, await askToken(target(), grant, members), 400, error)
    }
  })
}

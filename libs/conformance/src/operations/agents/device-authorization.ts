import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, askToLink, decideAtPage, linkBody, newAgent, poll } from '../../actors/agent.ts'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/oauth/device_authorization'
const op = agents.deviceAuthorization

export const deviceAuthorization: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('returns codes for the signing wallet, as JSON and as a form; the owner’s approval gives tokens', async () => {
    const account = newAccount()
    const { baseUrl } = target()
    const body = await linkBody(target(), account, { router_allowance_usd: 5 })
    const asJson = accepted(op, await client().post(PATH, body))
    expect(asJson).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${baseUrl}/link`,
      verification_uri_complete: `${baseUrl}/link?user_code=${asJson.user_code}`,
      expires_in: 1_200,
      interval: 5,
      client_id: `agent_${account.address.toLowerCase()}`,
    })
    expect(asJson).not.toHaveProperty('auto_approved')
    const form = {
      ...(await linkBody(target(), account)),
      router_allowance_usd: '5',
      trust_device: 'false',
      device: '',
    }
    const asForm = accepted(op, await client().post(PATH, new URLSearchParams(form)))
    expect((await poll(target(), asForm)).json()).toMatchObject({ error: 'authorization_pending' })

    const owner = await newOwner(target())
    expect((await decideAtPage(owner, asForm, APPROVAL)).status).toBeLessThan(400)
    const tokens = (await poll(target(), asForm)).json()
    expect(tokens).toMatchObject({ owner_wallet: owner.account.address, scope: 'mcp:call router.use' })
    expect((await decideAtPage(owner, asJson, [['decision', 'deny']])).status).toBeLessThan(400)
    expect((await poll(target(), asJson)).json()).toMatchObject({ error: 'access_denied' })
  })

  test('auto_approved: on a device that the owner trusts, for no more than the owner approved', async () => {
    const owner = await newOwner(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2 }
    const agent = await newAgent(target(), owner, trust, [...APPROVAL, ['trust_device', 'true']])
    const covered = await askToLink(target(), newAccount(), trust, agent.api)
    expect(covered).toMatchObject({ auto_approved: true })
    expect((await poll(target(), covered)).json()).toMatchObject({ owner_wallet: owner.account.address })
    const more = await askToLink(target(), newAccount(), { ...trust, router_allowance_usd: 3 }, agent.api)
    expect(more).not.toHaveProperty('auto_approved')
  })

  test('400 invalid_scope: an unknown scope', async () => {
    const body = await linkBody(target(), newAccount(), { scope: 'mcp:call everything' })
    refused(op, await client().post(PATH, body), 400, 'invalid_scope')
  })

  test('400 invalid_request: missing or invalid fields, and a client_id of another wallet', async () => {
    const body = await linkBody(target(), newAccount())
    for (const wrong of [
      { label: undefined },
      { label: 'Not A Label' },
      { label: 'a'.repeat(33) },
      { device: '-' },
      { trust_device: true },
      { router_allowance_usd: 1_000.01 },
      { router_allowance_usd: -1 },
      { agent_message: undefined },
      { client_id: `agent_0x${'0'.repeat(40)}` },
    ]) {
      refused(op, await client().post(PATH, { ...body, ...wrong }), 400, 'invalid_request')
    }
  })

  test('401 invalid_agent_signature: a used message, another wallet’s signature, a nonce for another purpose', async () => {
    const account = newAccount()
    const body = await linkBody(target(), account)
    accepted(op, await client().post(PATH, body))
    const { agent_signature } = await linkBody(target(), newAccount())
    const fresh = await linkBody(target(), account)
    for (const wrong of [body, { ...fresh, agent_signature }, { ...fresh, agent_message: 'Let me in.' }]) {
      refused(op, await client().post(PATH, wrong), 401, 'invalid_agent_signature')
    }
  })

  test('an invalid credential, or one that is no agent’s, approves nothing', async () => {
    const { api } = await visitorOf(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 0 }
    expect(await askToLink(target(), newAccount(), trust, api)).not.toHaveProperty('auto_approved')
  })
}

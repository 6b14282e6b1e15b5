import { agents } from '@callboard/agents'
import { type Caller, oauth, agents as operations } from '@callboard/contract'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { fakeRouter, routerState } from '../../agents/test/fake-router.ts'
import { type Edge, startEdge } from './edge.ts'

const router = routerState()
let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [agents, fakeRouter(router)] })
})
afterAll(() => edge.stop())
beforeEach(() => {
  router.unavailable = false
})

const text = (html: string) => html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')

async function open(cookie: string, path = '/account') {
  const answer = await fetch(edge.base + path, { headers: { cookie } })
  return { status: answer.status, html: await answer.text() }
}

/** Submits a form of the account page. */
async function send(cookie: string, fields: Record<string, string>) {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await open(cookie)).html)?.[1] ?? ''
  const answer = await fetch(`${edge.base}/account`, {
    method: 'POST',
    body: new URLSearchParams({ csrf, ...fields }),
    headers: { cookie, origin: edge.base },
  })
  return { status: answer.status, said: text(await answer.text()) }
}

const requester = { address: '192.0.2.1', userAgent: 'vitest' }

/** An agent that wants a Router key asks to be linked. @param caller the agent whose token asks */
async function ask(agent: number, more: { device?: string; trust_device?: boolean } = {}, caller?: Caller) {
  const { nonce } = granted(await edge.services.call(oauth.siweNonce, { purpose: 'link' }))
  const signed = await signedMessage(wallet(agent), { purpose: 'link', nonce, baseUrl: edge.base })
  const asked = {
    ...{ agent_message: signed.message, agent_signature: signed.signature, label: 'an-agent' },
    ...{ scope: 'router.use', router_allowance_usd: 1, requester, ...more },
  }
  return granted(await edge.services.call(operations.deviceAuthorization, asked, caller ? { caller } : {}))
}

/** Links an agent that has a Router key. @returns its client id */
async function linked(cookie: string, agent: number, more: Parameters<typeof ask>[1] = {}): Promise<string> {
  const credential = cookie.slice(cookie.indexOf('=') + 1)
  const session = granted(await edge.services.call(oauth.introspect, { credential, kind: 'session' }))
  if (!session.active) throw new Error('not signed in')
  const asked = await ask(agent, more)
  const trustDevice = more.trust_device === true
  const decision = { verdict: 'approve', scopes: ['router.use'], routerAllowanceUsd: 5, trustDevice } as const
  const decided = { userCode: asked.user_code, requester, decision: { ...decision, scopes: [...decision.scopes] } }
  granted(await edge.services.call(operations.decideLink, decided, { caller: session.caller }))
  return asked.client_id
}

test('an agent whose Router keys cannot be ended yet is shown until they are, and can be ended again', async () => {
  const cookie = await edge.signIn(1)
  const id = await linked(cookie, 2)
  router.unavailable = true
  const end = { do: 'end', what: 'agent', id }
  const { status, said } = await send(cookie, end)
  expect(status).toBe(503)
  expect(said).toContain('Not all of the agent “an-agent” has ended, and what is left may still work.')
  expect(said, 'its tokens have ended').not.toContain('Nothing was changed')
  expect(text((await open(cookie)).html)).toContain('Its end waits for another service')
  expect(await send(cookie, end), 'it has not ended').toMatchObject({ status: 503 })
  const everything = await send(cookie, { do: 'end-everything' })
  expect(everything.said).toContain('Not all of these could be ended: agents,')
  expect(router.keys.size).toBe(1)
  router.unavailable = false
  expect((await open(cookie, `/account/end?what=agent&id=${id}`)).html).toContain('End the agent “an-agent”?')
  expect(await send(cookie, end)).toMatchObject({
    status: 200,
    said: expect.stringContaining('Ended the agent “an-agent”'),
  })
  expect(router.keys.size).toBe(0)
  expect(text((await open(cookie)).html)).toContain('No agent acts for you.')
})

test('the trust in a device ends again while an agent that it linked keeps its Router keys', async () => {
  const cookie = await edge.signIn(3)
  const device = { device: 'laptop', trust_device: true }
  const clientId = await linked(cookie, 4, device)
  const [parent] = await edge.database.query<{ id: string }>('select id from agents.link where client_id = $1', [
    clientId,
  ])
  const { address: owner } = wallet(3)
  const child = await ask(5, device, {
    kind: 'agent',
    owner,
    clientId,
    linkId: parent?.id ?? '',
    scopes: ['router.use'],
  })
  expect(child.auto_approved).toBe(true)
  expect(router.keys.size).toBe(2)
  router.unavailable = true
  const end = { do: 'end', what: 'device', id: 'laptop' }
  expect((await send(cookie, end)).status).toBe(503)
  expect(await send(cookie, end), 'it has not ended').toMatchObject({
    status: 503,
    said: expect.stringContaining('Not all of the trust in the device “laptop” has ended'),
  })
  router.unavailable = false
  expect((await send(cookie, end)).status).toBe(404)
  expect([...router.keys.keys()]).toEqual([parent?.id])
})

test.each(['', '\0', 'a'.repeat(65), 'unknown'])('404: a device of no such name: %j', async (id) => {
  expect((await send(await edge.signIn(6), { do: 'end', what: 'device', id })).status).toBe(404)
})

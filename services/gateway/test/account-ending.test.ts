import { agents } from '@callboard/agents'
import { oauth, agents as operations } from '@callboard/contract'
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

/** Links an agent that has a Router key. @returns its client id */
async function linked(cookie: string, agent: number): Promise<string> {
  const credential = cookie.slice(cookie.indexOf('=') + 1)
  const session = granted(await edge.services.call(oauth.introspect, { credential, kind: 'session' }))
  if (!session.active) throw new Error('not signed in')
  const { nonce } = granted(await edge.services.call(oauth.siweNonce, { purpose: 'link' }))
  const signed = await signedMessage(wallet(agent), { purpose: 'link', nonce, baseUrl: edge.base })
  const requester = { address: '192.0.2.1', userAgent: 'vitest' }
  const asked = granted(
    await edge.services.call(operations.deviceAuthorization, {
      ...{ agent_message: signed.message, agent_signature: signed.signature, label: 'an-agent' },
      ...{ scope: 'router.use', requester },
    }),
  )
  const decision = { verdict: 'approve', scopes: ['router.use'], routerAllowanceUsd: 5, trustDevice: false } as const
  const decided = { userCode: asked.user_code, requester, decision: { ...decision, scopes: [...decision.scopes] } }
  granted(await edge.services.call(operations.decideLink, decided, { caller: session.caller }))
  return asked.client_id
}

test('an agent whose Router keys cannot be ended yet is shown until they are, and can be ended again', async () => {
  const cookie = await edge.signIn(1)
  const id = await linked(cookie, 2)
  router.unavailable = true
  const end = { do: 'end', what: 'agent', id }
  expect((await send(cookie, end)).status).toBe(503)
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

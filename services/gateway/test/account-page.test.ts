import { randomBytes } from 'node:crypto'
import { agents } from '@callboard/agents'
import { DEVICE_CODE_GRANT, oauth as operations } from '@callboard/contract'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ageSessions, type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  // Sessions are aged directly in the database, which a cached introspection would not show.
  edge = await startEdge(inject('postgresUrl'), { modules: [agents], env: { INTROSPECTION_CACHE_MS: '0' } })
})
afterAll(() => edge.stop())

const INJECTION = '<img src=x onerror=alert(1)>"&'
const text = (html: string) => html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const said = (html: string) => text(/role="status">(.*?)<\/p>/s.exec(html)?.[1] ?? '').trim()
const heading = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const tokenIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** An owner in a browser without scripts. */
class Visitor {
  readonly cookie: string

  constructor(cookie: string) {
    this.cookie = cookie
  }

  async open(path = '/account'): Promise<{ status: number; html: string; answer: Response }> {
    const answer = await fetch(edge.base + path, { headers: { cookie: this.cookie } })
    return { status: answer.status, html: await answer.text(), answer }
  }

  async send(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams({ csrf: tokenIn((await this.open()).html), ...fields })
    const answer = await fetch(`${edge.base}/account`, {
      method: 'POST',
      body,
      headers: { cookie: this.cookie, origin: edge.base, ...headers },
    })
    return { status: answer.status, html: await answer.text(), answer }
  }

  /** Presses a thing's button, and if there is a confirmation, its button as well. */
  async end(what: string, id: string) {
    const asked = await this.open(`/account/end?${new URLSearchParams({ what, id })}`)
    expect(asked.html).toContain(`<input type="hidden" name="what" value="${what}"`)
    return this.send({ do: 'end', what, id })
  }
}

const visitor = async (owner: number) => new Visitor(await edge.signIn(owner))

/** An agent asks to be linked, from the device `a-device`. @param bearer the token of an already linked agent */
async function agentAsks(agent: number, label: string, bearer?: string) {
  const { nonce } = (await (await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=link`)).json()) as { nonce: string }
  const signed = await signedMessage(wallet(agent), { purpose: 'link', nonce, baseUrl: edge.base })
  const answer = await fetch(`${edge.base}/oauth/device_authorization`, {
    method: 'POST',
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    body: new URLSearchParams({
      ...{ agent_message: signed.message, agent_signature: signed.signature, label, device: 'a-device' },
      ...{ trust_device: 'true', scope: bearer ? 'mcp:call' : 'mcp:call router.use' },
    }),
  })
  return (await answer.json()) as Record<'user_code' | 'client_id' | 'device_code', string> & { auto_approved?: true }
}

/** An agent's first tokens. */
async function tokenOf({ device_code, client_id }: { device_code: string; client_id: string }): Promise<string> {
  const body = new URLSearchParams({ grant_type: DEVICE_CODE_GRANT, device_code, client_id })
  const answer = await fetch(`${edge.base}/oauth/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Links an agent to an owner through the page. @returns its client id and its access token */
async function linkAgent(owner: Visitor, agent: number, more: Record<string, string> = {}) {
  const grant = await agentAsks(agent, 'an-agent')
  const { html } = await owner.open(`/link?user_code=${grant.user_code}`)
  const form = { csrf: tokenIn(html), user_code: /name="user_code" value="([\w-]+)"/.exec(html)?.[1] ?? '' }
  const approved = await fetch(`${edge.base}/link`, {
    method: 'POST',
    body: new URLSearchParams([
      ...Object.entries({ ...form, decision: 'approve', router_allowance_usd: '0', ...more }),
      ...['mcp:call', 'router.use'].map((scope) => ['scopes', scope]),
    ]),
    headers: { cookie: owner.cookie, origin: edge.base },
  })
  expect(heading(await approved.text())).toBe('The agent is linked')
  return { id: grant.client_id, token: await tokenOf(grant) }
}

/** An agent stores bytes that look like a sealed backup. */
async function storeBackup(bearer: string) {
  const some = (bytes: number) => randomBytes(bytes).toString('base64url')
  const envelope = { version: 1, enc: some(32), recipient: some(32), ciphertext: some(100) }
  const answer = await fetch(`${edge.base}/api/agents/self/backup`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(envelope),
  })
  expect(answer.status).toBe(200)
  return envelope
}

/** The owner allows a program, and it redeems its code. @returns its access token */
async function allowProgram(owner: Visitor, client_name: string): Promise<string> {
  const redirect_uri = 'https://helper.example/callback'
  const client = granted(
    await edge.services.call(operations.register, {
      ...{ client_name, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' },
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  )
  const proof = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
  const query = new URLSearchParams({ response_type: 'code', client_id: client.client_id, redirect_uri, ...proof })
  const { html } = await owner.open(`/oauth/authorize?${query}`)
  const decided = await fetch(`${edge.base}/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ query: `${query}`, csrf: tokenIn(html), decision: 'approve', scopes: 'mcp:call' }),
    headers: { cookie: owner.cookie, origin: edge.base },
  })
  const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const answer = await fetch(`${edge.base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: client.client_id, code, redirect_uri },
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const idIn = (html: string, what: string): string =>
  new RegExp(`name="id" value="([^"]+)"/?>\\s*<button[^>]*value="${what}"`).exec(html)?.[1] ?? ''

describe('GET /account', () => {
  test('asks a visitor who is not signed in to sign in, and returns here', async () => {
    for (const path of ['/account', '/account/end?what=agent&id=x']) {
      const answer = await fetch(edge.base + path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('href="/signin?return_to=%2Faccount"')
    }
  })

  test('runs no script, and is not cached, framed or read by other sites', async () => {
    const { answer, html } = await (await visitor(1)).open()
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/)
  })

  test('lists only this browser when there is nothing else', async () => {
    const { html } = await (await visitor(2)).open()
    for (const sentence of ['No agent acts for you.', 'No program acts for you.', 'You have no API key.']) {
      expect(html).toContain(sentence)
    }
    expect(html).toContain('<h3>This browser</h3>')
  })

  test('shows, of more than an answer holds, the newest and how many more there are', async () => {
    const owner = await visitor(7)
    await edge.database.query(
      `insert into oauth.session (token_hash, id, owner, created_at, last_seen_at, address, user_agent)
       select 'many-' || n, 'many-' || n, $1, now() - interval '1 hour', now(), '192.0.2.1', rpad('Agent ' || n, 256, 'x')
       from generate_series(1, 3000) n`,
      [wallet(7).address],
    )
    const { status, html } = await owner.open()
    expect({ status, said: text(html) }).toEqual({
      status: 200,
      said: expect.stringMatching(/And \d+ more, which are shown/),
    })
    expect(html).toContain('This browser')
  })

  test('shows the rest when a part cannot be read', async () => {
    const alone = await startEdge(inject('postgresUrl'))
    try {
      const answer = await fetch(`${alone.base}/account`, { headers: { cookie: await alone.signIn(1) } })
      const html = await answer.text()
      expect(answer.status).toBe(200)
      expect(html.match(/This part is not available right now/g)).toHaveLength(6)
      expect(html).toContain('You have no API key.')
    } finally {
      await alone.stop()
    }
  })
})

describe('ending', () => {
  test('an agent: says when its link ends by itself', async () => {
    const owner = await visitor(37)
    await linkAgent(owner, 72)
    const shown = text((await owner.open()).html)
    const [, linked = '', ends = ''] = /linked ([\d-]+) , .*?, ends ([\d-]+) /.exec(shown) ?? []
    expect(Date.parse(ends) - Date.parse(linked)).toBe(180 * DAY_MS)
  })

  test('an agent: asks once more, ends it, and what it had stops working', async () => {
    const owner = await visitor(3)
    const { id } = await linkAgent(owner, 4)
    const listed = await owner.open()
    expect(idIn(listed.html, 'agent')).toBe(id)
    const question = await owner.open(`/account/end?what=agent&id=${id}`)
    expect(heading(question.html)).toBe('End the agent “an-agent”?')
    expect(text(question.html)).toContain('Its tokens and Router keys stop working at once.')
    const { status, html } = await owner.end('agent', id)
    expect(status).toBe(200)
    expect(said(html)).toContain('Ended the agent “an-agent”. Its tokens and Router keys stopped working.')
    expect(html).toContain('No agent acts for you.')
  })

  test('a program: refuses all of its tokens from then on, and shows its name as text', async () => {
    const owner = await visitor(3)
    const token = await allowProgram(owner, INJECTION)
    const { html } = await owner.open()
    expect(html).toContain('&lt;img src=x onerror=alert(1)>')
    expect(html).not.toContain('<img')
    expect(text(html)).toContain('Its answers went to helper.example')
    const over = await owner.end('program', idIn(html, 'program'))
    expect(said(over.html)).toContain('Every token that it held stopped working.')
    expect(over.html).toContain('No program acts for you.')
    const introspected = await edge.services.call(operations.introspect, { credential: token, kind: 'bearer' })
    expect(introspected).toEqual({ active: false })
  })

  test('an API key', async () => {
    const owner = await visitor(3)
    const { key } = await edge.newKey(owner.cookie)
    const { html } = await owner.open()
    const over = await owner.end('key', idIn(html, 'key'))
    expect(said(over.html)).toBe('Ended the API key “test”. It no longer works.')
    const used = await fetch(`${edge.base}/api/call/listings/mine`, { headers: { authorization: `Bearer ${key}` } })
    expect(used.status).toBe(401)
  })

  test('another session, with one button; this session is not offered there', async () => {
    const [owner, other] = [await visitor(5), await visitor(5)]
    const { html } = await owner.open()
    const id = idIn(html, 'session')
    const over = await owner.send({ do: 'end', what: 'session', id })
    expect(said(over.html)).toMatch(/^Ended the session “from 127\.0\.0\.1”\. That browser is signed out\.$/)
    expect(heading((await other.open()).html)).toBe('Sign in to see your account')
    expect((await owner.send({ do: 'end', what: 'session', id })).status).toBe(404)
  })

  test('the trust in a device', async () => {
    const owner = await visitor(6)
    await linkAgent(owner, 7, { trust_device: 'true' })
    const { html } = await owner.open()
    expect(text(html)).toMatch(/Trusted since \d{4}-\d\d-\d\d/)
    const over = await owner.end('device', 'a-device')
    expect(said(over.html)).toContain('From now on, you are asked about each new agent on it.')
    expect(over.html).toContain('Not trusted: you are asked about each agent on it.')
  })

  test('an agent and those linked on its word: new until seen, and ended together unless they are kept', async () => {
    const owner = await visitor(2)
    const parent = await linkAgent(owner, 0, { trust_device: 'true' })
    for (const [agent, label] of [
      [1, 'first-child'],
      [4, 'second-child'],
    ] as const) {
      const grant = await agentAsks(agent, label, parent.token)
      expect(grant.auto_approved).toBe(true)
      await tokenOf(grant)
    }
    const { html } = await owner.open()
    expect(text(html)).toMatch(
      /2 agents linked without asking you , because you trust the device: (\w+)-child, (\w+)-child/,
    )
    expect(text(html)).toContain('linked without asking through an-agent, from a device that you trust')
    const seen = await fetch(`${edge.base}/account`, {
      method: 'POST',
      headers: { cookie: owner.cookie, origin: edge.base },
      body: new URLSearchParams([
        ['csrf', tokenIn(html)],
        ['do', 'acknowledge'],
        ...[1, 4].map((agent) => ['id', `agent_${wallet(agent).address.toLowerCase()}`]),
      ]),
    })
    expect(await seen.text()).not.toContain('Mark as seen')

    const question = await owner.open(`/account/end?what=agent&id=${parent.id}`)
    expect(text(question.html)).toContain('2 agents that were linked through it, without asking you, end with it.')
    expect(question.html).toContain('<input type="checkbox" name="descendants" value="keep"')
    const over = await owner.end('agent', parent.id)
    expect(said(over.html)).toContain('Also ended 2 agents linked through it.')
    expect(over.html).toContain('No agent acts for you.')
  })

  test('the backup of a device: says who stored it, and deletes it only after a question', async () => {
    const owner = await visitor(23)
    const { id, token } = await linkAgent(owner, 24)
    const stored = await storeBackup(token)
    const { html } = await owner.open()
    expect(text(html)).toMatch(
      /a-device Stored \d+ seconds? ago by the agent 0x\w+…\w+ : 100 bytes, encrypted to the key \S{8}…/,
    )
    expect(html).toContain(`title="${id}"`)
    expect(html).toContain(`title="${stored.recipient}"`)
    expect(html).not.toContain(stored.ciphertext)
    await owner.end('agent', id)
    const question = await owner.open('/account/end?what=backup&id=a-device')
    expect(heading(question.html)).toBe('End the backup of “a-device”?')
    expect(text(question.html)).toContain('Keys that are nowhere else are lost')
    expect((await (await visitor(8)).send({ do: 'end', what: 'backup', id: 'a-device' })).status).toBe(404)
    const over = await owner.end('backup', 'a-device')
    expect(said(over.html)).toBe('Ended the backup of “a-device”. It is deleted.')
    expect(over.html).toContain('None of your agents has stored a backup of its device.')
    const read = await fetch(`${edge.base}/api/agents/devices/a-device/backup`, { headers: { cookie: owner.cookie } })
    expect(read.status).toBe(404)
  })

  test('404: a thing of another owner, or one that is over, is not found', async () => {
    const [owner, other] = [await visitor(3), await visitor(8)]
    const { id } = await linkAgent(owner, 4)
    for (const fields of [
      { do: 'end', what: 'agent', id },
      { do: 'end', what: 'key', id: 'x' },
    ]) {
      const { status, html } = await other.send(fields)
      expect(status).toBe(404)
      expect(said(html)).toContain('Nothing was changed.')
    }
    expect((await other.open(`/account/end?what=agent&id=${id}`)).status).toBe(404)
    expect((await owner.open()).html).toContain(id)
  })
})

describe('signing out', () => {
  test('here: ends the cookie, and the session is worthless', async () => {
    const owner = await visitor(1)
    const { html, answer } = await owner.send({ do: 'sign-out' })
    expect(heading(html)).toBe('You are signed out')
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^callboard=; Max-Age=0;/)])
    expect(heading((await owner.open()).html)).toBe('Sign in to see your account')
  })

  test('everywhere: says what ended and what remains, and ends programs on request', async () => {
    const [owner, other] = [await visitor(9), await visitor(9)]
    await edge.newKey(owner.cookie)
    await allowProgram(owner, 'Helper')
    expect(heading((await owner.open('/account/end?what=sessions')).html)).toBe('Sign out everywhere?')
    const { html } = await owner.send({ do: 'sign-out-everywhere', grants: 'true' })
    expect(text(html)).toContain('Ended: 2 sessions and 1 program. Going on: 0 agents, 0 programs, 1 API key.')
    for (const one of [owner, other]) expect(heading((await one.open()).html)).toBe('Sign in to see your account')
  })
})

describe('the daily limit of an agent', () => {
  test('is set; a larger one only with a fresh signature', async () => {
    const owner = await visitor(1)
    const { id } = await linkAgent(owner, 2)
    const set = (usd: string) => owner.send({ do: 'set-limit', id, router_allowance_usd: usd })
    expect(said((await set('2.50')).html)).toBe(
      'The agent “an-agent” may spend 2.5 USD of your Compute per day from now on.',
    )
    for (const usd of ['', '1001', '-1', '1e2', '0.001']) expect((await set(usd)).status).toBe(400)
    await ageSessions(edge, 16)
    expect((await set('3')).status).toBe(200)
    const larger = await set('999')
    expect([larger.status, heading(larger.html)]).toEqual([403, 'Sign again to allow this'])
    const kept = larger.answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const back = await new Visitor([owner.cookie, ...kept].join('; ')).open()
    expect(back.html, 'filled in as it was left').toMatch(new RegExp(`id="limit-${id}"[^>]* value="999"`))
    expect(back.html).toContain(`href="#limit-${id}">Go to the form`)
    expect(back.answer.headers.getSetCookie().join(), 'shown once').toMatch(/callboard-form=;[^,]*Max-Age=0/)
  })

  test('404: of an unknown agent', async () => {
    const owner = await visitor(1)
    const id = `agent_${wallet(9).address.toLowerCase()}`
    expect((await owner.send({ do: 'set-limit', id, router_allowance_usd: '1' })).status).toBe(404)
  })

  test.each(['', 'none', '\0', 'a'.repeat(65)])('404: of what no agent is called: %j', async (id) => {
    const owner = await visitor(1)
    expect((await owner.send({ do: 'set-limit', id, router_allowance_usd: '1' })).status).toBe(404)
  })
})

describe('403', () => {
  test('from another site, without a form of ours, or signed out meanwhile', async () => {
    const owner = await visitor(1)
    const fields = { do: 'sign-out' }
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) expect((await owner.send(fields, headers)).status).toBe(403)
    const outdated = await owner.send({ ...fields, csrf: 'x' })
    expect([outdated.status, heading(outdated.html)]).toEqual([403, 'This form is out of date'])
    expect(outdated.html).toContain('href="/account">Open the page again</a>')
    expect((await owner.open()).html).toContain('You are signed in as')
    expect((await new Visitor('callboard=gone').send(fields)).status).toBe(403)
  })

  test('400: a form that requests nothing possible here', async () => {
    expect((await (await visitor(1)).send({ do: 'everything' })).status).toBe(400)
  })
})

test('ending everything: what cannot be reached is named, the rest ends, and the session stays to try again', async () => {
  const owner = await visitor(12)
  const { token } = await linkAgent(owner, 13)
  await storeBackup(token)
  await allowProgram(owner, 'a program')
  const { key } = await edge.newKey(owner.cookie)
  const asked = await owner.open('/account/end?what=everything')
  expect(heading(asked.html)).toBe('End everything that acts for you?')
  // No Router runs here.
  const { status, html } = await owner.send({ do: 'end-everything' })
  expect({ status, said: said(html) }).toEqual({
    status: 503,
    said: expect.stringMatching(
      /^Not everything has ended\. Not all of these could be ended: Router keys\. .* Ended: 0 sessions, 1 agent, 1 API key,/,
    ),
  })
  const statusWith = async (path: string, bearer: string) =>
    (await fetch(edge.base + path, { headers: { authorization: `Bearer ${bearer}` } })).status
  expect(await statusWith('/api/agents/self', token)).toBe(401)
  expect(await statusWith('/api/call/listings/mine', key)).toBe(401)
  const { html: after } = await owner.open()
  expect(idIn(after, 'program')).not.toBe('')
  expect(idIn(after, 'backup'), 'a backup is kept').toBe('a-device')
})

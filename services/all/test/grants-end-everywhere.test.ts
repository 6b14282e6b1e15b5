import { createHash, randomBytes } from 'node:crypto'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Replicas } from './replicas.ts'

const REDIRECT = 'https://client.example/callback'
const SCOPES = ['call.publish', 'router.use', 'mcp:call'] as const
/** Only the gateway judges the token here. */
const PATH = '/api/call/listings/mine'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

describe.runIf(inject('natsUrl') && inject('redisUrl'))('a program’s tokens, at three gateways under load', () => {
  let replicas: Replicas
  let cookie: string
  beforeAll(async () => {
    replicas = await Replicas.open(inject('postgresUrl'))
    cookie = await replicas.signIn(1)
  }, 120_000)
  afterAll(() => replicas?.close())

  const asOwner = (path: string, method = 'GET', gateway = 0) =>
    fetch(replicas.gateways[gateway] + path, { method, headers: { cookie, origin: replicas.base } })
  const grants = async () => ((await (await asOwner('/api/auth/grants')).json()) as { grants: Grant[] }).grants

  interface Grant {
    readonly id: string
    readonly client: { readonly id: string }
    readonly scopes: readonly string[]
  }

  /** A registered program for which the owner allows everything on the consent page. */
  async function allowed(): Promise<{ readonly clientId: string } & Tokens> {
    const metadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
    const registered = await fetch(`${replicas.base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...metadata, grant_types: ['authorization_code', 'refresh_token'] }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const code_verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, scope: SCOPES.join(' ') },
      ...{ code_challenge, code_challenge_method: 'S256' },
    }).toString()
    const page = await (await asOwner(`/oauth/authorize?${query}`)).text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const form = new URLSearchParams({ query, csrf, decision: 'approve' })
    for (const scope of SCOPES) form.append('scopes', scope)
    const sent = await fetch(`${replicas.base}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: replicas.base },
      body: form,
    })
    const code = new URL(sent.headers.get('location') ?? REDIRECT).searchParams.get('code') ?? ''
    const body = { grant_type: 'authorization_code', code, code_verifier, client_id: clientId }
    const tokens = await replicas.post('/oauth/token', new URLSearchParams(body))
    expect(tokens.status, await tokens.clone().text()).toBe(200)
    return { clientId, ...((await tokens.json()) as Tokens) }
  }

  const ask = (gateway: string, { access_token }: Tokens) =>
    fetch(gateway + PATH, { headers: { authorization: `Bearer ${access_token}` } })

  test('are visible to the owner, and refused everywhere once DELETE /api/auth/grants/:id has answered', async () => {
    const [program, other] = [await allowed(), await allowed()]
    const grant = (await grants()).find(({ client }) => client.id === program.clientId)
    expect(grant?.scopes.toSorted()).toEqual(SCOPES.toSorted())

    const calls: { readonly began: number; readonly where: string; readonly status: number }[] = []
    let isOver = false
    const loops = replicas.gateways.map(async (where) => {
      while (!isOver) {
        const began = performance.now()
        calls.push({ began, where, status: (await ask(where, program)).status })
      }
    })
    const everywhere = (since: number) => () =>
      new Set(calls.filter(({ began }) => began > since).map(({ where }) => where)).size === replicas.gateways.length
    await until('it asked everywhere', everywhere(0))
    const asked = performance.now()
    expect((await asOwner(`/api/auth/grants/${grant?.id}`, 'DELETE', 1)).status).toBe(204)
    const answered = performance.now()
    await until('it asked everywhere after the answer', everywhere(answered))
    isOver = true
    await Promise.all(loops)

    // At each gateway the last call that began before the end may have been answered after it.
    const before = replicas.gateways.flatMap((gateway) =>
      calls.filter(({ began, where }) => where === gateway && began < asked).slice(0, -1),
    )
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
    const after = calls.filter(({ began }) => began > answered)
    // A client that keeps presenting a dead credential is slowed down after a while: 429.
    expect(after.filter(({ status }) => status !== 401 && status !== 429)).toEqual([])
    const { clientId: client_id, refresh_token } = program
    const refreshed = await replicas.refresh({ client_id, refresh_token, access_token: program.access_token })
    expect(refreshed.status).toBe(400)
    for (const gateway of replicas.gateways) expect((await ask(gateway, other)).status).toBe(200)
    expect((await grants()).map(({ client }) => client.id)).toEqual([other.clientId])
  })

  test('outlive the end of every session, unless grants=true ends them as well', async () => {
    const program = await allowed()
    expect((await asOwner('/api/auth/sessions', 'DELETE')).status).toBe(200)
    for (const gateway of replicas.gateways) expect((await ask(gateway, program)).status).toBe(200)
    cookie = await replicas.signIn(1)
    expect((await asOwner('/api/auth/sessions?grants=true', 'DELETE', 2)).status).toBe(200)
    for (const gateway of replicas.gateways) expect((await ask(gateway, program)).status).toBe(401)
  })
})

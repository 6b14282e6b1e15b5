import { oauth as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const REDIRECT = 'https://helper.example/callback'
const metadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
const fieldIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''

test('a program whose answers go elsewhere by the time its owner decides gets none', async () => {
  const client = granted(await edge.services.call(operations.register, metadata))
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: client.client_id, code_challenge_method: 'S256' },
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  })
  const headers = { cookie: await edge.signIn(1), origin: edge.base }
  const html = await (await fetch(`${edge.base}/oauth/authorize?${query}`, { headers })).text()
  expect(html).toContain('helper.example')

  granted(
    await edge.services.call(operations.updateClient, {
      ...{ clientId: client.client_id, client_id: client.client_id, ...metadata },
      registration_access_token: client.registration_access_token,
      redirect_uris: ['https://thief.example/callback'],
    }),
  )
  const shown = Object.fromEntries(['csrf', 'refreshes', 'form_action'].map((name) => [name, fieldIn(html, name)]))
  const body = new URLSearchParams({ query: `${query}`, ...shown, decision: 'approve', scopes: 'mcp:call' })
  const decided = await fetch(`${edge.base}/oauth/authorize`, { method: 'POST', redirect: 'manual', body, headers })
  expect([decided.status, decided.headers.get('location')]).toEqual([400, null])
  expect(await decided.text()).toContain(
    'The program has changed where its answers go since you were shown this request.',
  )
})

test('a program that begins to refresh while its owner reads the page gets what the page said', async () => {
  const client = granted(
    await edge.services.call(operations.register, { ...metadata, grant_types: ['authorization_code'] }),
  )
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: client.client_id, redirect_uri: REDIRECT, code_challenge_method: 'S256' },
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  })
  const headers = { cookie: await edge.signIn(1), origin: edge.base }
  const html = await (await fetch(`${edge.base}/oauth/authorize?${query}`, { headers })).text()
  expect(html).toContain('For 60 minutes.')

  granted(
    await edge.services.call(operations.updateClient, {
      ...{ clientId: client.client_id, client_id: client.client_id, ...metadata },
      registration_access_token: client.registration_access_token,
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  )
  const shown = { csrf: fieldIn(html, 'csrf'), refreshes: fieldIn(html, 'refreshes') }
  const body = new URLSearchParams({ query: `${query}`, ...shown, decision: 'approve', scopes: 'mcp:call' })
  const decided = await fetch(`${edge.base}/oauth/authorize`, { method: 'POST', redirect: 'manual', body, headers })
  const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const answer = await fetch(`${edge.base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: client.client_id, code, redirect_uri: REDIRECT },
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
  })
  const tokens = await answer.json()
  expect(tokens).toHaveProperty('access_token')
  expect(tokens).not.toHaveProperty('refresh_token')
})

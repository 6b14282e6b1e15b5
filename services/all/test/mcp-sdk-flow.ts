import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { expect } from 'vitest'
import { METADATA, type OauthStage, REDIRECT } from './oauth-stage.ts'

/**
 * Runs the MCP SDK's own authorization against a server of which it knows only the URL: it finds the rest, is allowed,
 * redeems and refreshes, and its token opens the tools of that server, and nothing else.
 * @returns the resulting client
 */
export async function authorizeWithMcpSdk(stage: OauthStage, more: Partial<OAuthClientProvider> = {}) {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; url?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { ...METADATA, token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      kept.url = url
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    ...more,
  }
  const serverUrl = `${stage.base}/mcp`
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
  const authorizationCode = (await stage.allowed(kept.url ?? '')).searchParams.get('code') ?? ''
  expect(await auth(provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED')
  const first = kept.tokens
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
  expect(kept.tokens?.access_token).not.toBe(first?.access_token)
  expect(await stage.callerOf(kept.tokens?.access_token ?? '')).toMatchObject({
    ...{ kind: 'client', clientId: kept.client?.client_id, scopes: ['mcp:call'], audience: serverUrl },
  })
  const reader = new Client({ name: 'test', version: '1' })
  await reader.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider }) as never)
  expect((await reader.listTools()).tools.map(({ name }) => name)).toContain('catalog_discovery')
  await reader.close()
  const elsewhere = { headers: { authorization: `Bearer ${kept.tokens?.access_token}` } }
  expect((await fetch(`${stage.base}/api/call/listings/mine`, elsewhere)).status).toBe(401)
  return kept.client
}

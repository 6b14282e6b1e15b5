import { z } from 'zod'
import { BASE_URL, JUST_NOW, NETWORK } from '../examples/words.ts'
import { SCOPES } from '../schemas/agent.ts'
import { PROBE_DOCS_PATH } from '../schemas/diagnosis.ts'
import { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../schemas/metadata.ts'
import { TaskReadiness } from '../schemas/readiness.ts'
import type { EdgeRoute } from './edge-route.ts'

const json = { method: 'GET', mediaType: 'application/json' } as const

const authorizationServer: AuthorizationServerMetadata = {
  issuer: BASE_URL,
  authorization_endpoint: `${BASE_URL}/oauth/authorize`,
  token_endpoint: `${BASE_URL}/oauth/token`,
  device_authorization_endpoint: `${BASE_URL}/oauth/device_authorization`,
  revocation_endpoint: `${BASE_URL}/oauth/revoke`,
  registration_endpoint: `${BASE_URL}/oauth/register`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'authorization_code'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  protected_resources: [BASE_URL, `${BASE_URL}/mcp`],
  service_documentation: `${BASE_URL}/docs`,
}

const protectedResource: ProtectedResourceMetadata = {
  resource: BASE_URL,
  authorization_servers: [BASE_URL],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: `${BASE_URL}/docs`,
}

const readiness: TaskReadiness = {
  status: 'ready',
  checkedAt: JUST_NOW,
  services: [{ service: 'catalog', ready: true, reason: null }],
  operations: [{ id: 'catalog.discovery', method: 'GET', path: '/api/call/discovery', auth: 'none', ready: true }],
  networks: [{ network: NETWORK, canSettle: true }],
  notRunning: [],
}

const OpenapiDocument = z.record(z.string(), z.unknown())
const openapi = { openapi: '3.1.0', info: { title: 'Callboard', version: '0.1.0' }, paths: {} }

/** The gateway's documents about this service and its resources, and the assets of its pages. */
export const documents: readonly EdgeRoute[] = [
  {
    ...json,
    id: 'gateway.authorizationServer',
    path: '/.well-known/oauth-authorization-server',
    summary: 'The metadata of the authorization server (RFC 8414)',
    json: { schema: AuthorizationServerMetadata, example: authorizationServer },
    entityTag: true,
  },
  {
    ...json,
    id: 'gateway.protectedResource',
    path: '/.well-known/oauth-protected-resource',
    summary: 'The metadata of this service as a protected resource (RFC 9728)',
    json: { schema: ProtectedResourceMetadata, example: protectedResource },
    entityTag: true,
  },
  {
    ...json,
    id: 'gateway.protectedMcp',
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'The metadata of the hosted MCP endpoint as a protected resource (RFC 9728)',
    json: {
      schema: ProtectedResourceMetadata,
      example: { ...protectedResource, resource: `${BASE_URL}/mcp`, scopes_supported: ['mcp:call'] },
    },
    entityTag: true,
  },
  {
    ...json,
    id: 'gateway.openapi',
    path: '/openapi.json',
    summary: 'This document, with the paths that need an account as references',
    json: { schema: OpenapiDocument, example: openapi },
    entityTag: true,
  },
  {
    ...json,
    id: 'gateway.openapiForClients',
    path: '/openapi.client.json',
    summary: 'This document with every path inline, for client generators',
    json: { schema: OpenapiDocument, example: openapi },
    entityTag: true,
  },
  {
    ...json,
    id: 'gateway.taskReadiness',
    path: '/api/tasks/readiness',
    summary: 'The current status of this instance: services, operations and networks',
    json: { schema: TaskReadiness, example: readiness },
    entityTag: true,
  },
  {
    id: 'gateway.llms',
    method: 'GET',
    path: '/llms.txt',
    mediaType: 'text/plain',
    summary: 'A description of this service with further links, for language models',
    entityTag: true,
  },
  {
    id: 'gateway.docsPage',
    method: 'GET',
    path: '/docs',
    mediaType: 'text/html',
    summary: 'The API reference, for people',
    linksCatalog: true,
    entityTag: true,
  },
  {
    id: 'gateway.probesPage',
    method: 'GET',
    path: PROBE_DOCS_PATH,
    mediaType: 'text/html',
    summary: 'The findings of a probe, each with its fix',
    linksCatalog: true,
    entityTag: true,
  },
  {
    id: 'gateway.signInScript',
    method: 'GET',
    path: '/signin.js',
    mediaType: 'text/javascript',
    summary: 'The script of the sign-in page',
    entityTag: true,
  },
  {
    id: 'gateway.favicon',
    method: 'GET',
    path: '/favicon.svg',
    mediaType: 'image/svg+xml',
    summary: 'The icon of the pages',
    entityTag: true,
  },
]

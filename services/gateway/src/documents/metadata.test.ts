import { expect, test } from 'vitest'
import { authorizationServer } from './metadata.ts'

const BASE = 'https://callboard.example'

test('behavior: without the authorization code grant, nothing that belongs to it is advertised', () => {
  const document = authorizationServer(BASE, () => false)
  expect(document).toMatchObject({
    response_types_supported: [],
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
  })
  for (const member of [
    'authorization_endpoint',
    'registration_endpoint',
    'code_challenge_methods_supported',
    'client_id_metadata_document_supported',
  ]) {
    expect(document).not.toHaveProperty(member)
  }
})

test('behavior: with it, PKCE, `iss`, the registration endpoint and metadata documents are advertised', () => {
  expect(authorizationServer(BASE, () => true)).toMatchObject({
    authorization_endpoint: `${BASE}/oauth/authorize`,
    registration_endpoint: `${BASE}/oauth/register`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    grant_types_supported: expect.arrayContaining(['authorization_code']),
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  })
})

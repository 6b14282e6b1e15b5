import { describe, expect, test } from 'vitest'
import { freshForMs, MAX_DOCUMENT_BYTES, readMetadataDocument } from './metadata-document.ts'

const ID = 'https://client.example/id.json'
const DOCUMENT = { client_id: ID, client_name: 'A client', redirect_uris: ['https://client.example/callback'] }
const READ = {
  ...{ client_name: 'A client', redirect_uris: ['https://client.example/callback'] },
  ...{ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'], response_types: ['code'] },
}

const read = (document: unknown, more: object = {}) =>
  readMetadataDocument(ID, { status: 200, mediaType: 'application/json', text: JSON.stringify(document), ...more })

describe('readMetadataDocument', () => {
  test('default: reads the document as a public client', () => {
    expect(read(DOCUMENT)).toEqual({ metadata: READ })
  })

  test.each(['application/json', 'application/oauth-client+json'])('behavior: %s is JSON', (mediaType) => {
    expect(read(DOCUMENT, { mediaType })).toEqual({ metadata: READ })
  })

  test('behavior: members for other servers are ignored', () => {
    const grant_types = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']
    const more = {
      grant_types,
      response_types: ['code', 'code id_token'],
      scope: 'openid mcp:call',
      jwks: { keys: [] },
    }
    expect(read({ ...DOCUMENT, ...more })).toEqual({
      metadata: { ...READ, grant_types: ['authorization_code', 'refresh_token'], scope: 'mcp:call' },
    })
    expect(read({ ...DOCUMENT, scope: 'openid profile' })).toEqual({ metadata: READ })
  })

  test('behavior: a document may prefer keys if it also supports none', () => {
    const prefers = {
      ...DOCUMENT,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      jwks_uri: 'https://client.example/keys',
    }
    expect(read(prefers)).toEqual({ metadata: READ })
  })

  test.each<[string, object]>([
    ['was answered with status 404', { status: 404, text: '' }],
    ['was answered with status 302', { status: 302, text: '' }],
    ['is not served as JSON', { mediaType: 'text/html' }],
    ['is not served as JSON', { mediaType: 'text/plain' }],
    ['is not served as JSON', { mediaType: 'application/jsonp' }],
    ['is not served as JSON', { mediaType: 'x-application/json' }],
    ['is not served as JSON', { mediaType: null }],
    ['is not a JSON object', { text: '' }],
    ['is not a JSON object', { text: '{"client_id":' }],
    ['is not a JSON object', { text: '[]' }],
    ['is not a JSON object', { text: 'null' }],
    ['is not a JSON object', { text: '"text"' }],
  ])('error: %s: %j', (problem, answer) => {
    expect(read(DOCUMENT, answer)).toEqual({ problem })
  })

  test.each<[string, object]>([
    ['names another client_id', { client_id: undefined }],
    ['names another client_id', { client_id: `${ID}/` }],
    ['names another client_id', { client_id: 'https://CLIENT.example/id.json' }],
    ['names another client_id', { client_id: [ID] }],
    ['must not contain client_secret', { client_secret: 'x' }],
    ['must not contain client_secret', { client_secret: null }],
    ['must not contain client_secret_expires_at', { client_secret_expires_at: 0 }],
    ['does not offer the token_endpoint_auth_method none', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['does not offer the token_endpoint_auth_method none', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['does not offer the token_endpoint_auth_method none', { token_endpoint_auth_method: 7 }],
    [
      'does not offer the token_endpoint_auth_method none',
      { token_endpoint_auth_method: 'client_secret_post', token_endpoint_auth_methods_supported: ['none'] },
    ],
    ['does not name its client (client_name)', { client_name: undefined }],
    ['does not name its client (client_name)', { client_name: '' }],
    ['does not name its client (client_name)', { client_name: '  ' }],
    ['is not valid: client_name', { client_name: { en: 'x' } }],
    ['is not valid: client_name', { client_name: 'evil\u202Etxt' }],
    ['is not valid: client_name', { client_name: 'a\u0000b' }],
    ['is not valid: redirect_uris', { redirect_uris: undefined }],
    ['is not valid: redirect_uris', { redirect_uris: [] }],
    ['is not valid: redirect_uris', { redirect_uris: 'https://client.example/callback' }],
    ['is not valid: redirect_uris.0', { redirect_uris: ['http://client.example/callback'] }],
    ['is not valid: redirect_uris.0', { redirect_uris: ['javascript:alert(1)'] }],
    ['is not valid: grant_types', { grant_types: ['client_credentials'] }],
    ['is not valid: grant_types', { grant_types: 'authorization_code' }],
    ['is not valid: response_types', { response_types: ['token'] }],
    ['is not valid: scope', { scope: ['mcp:call'] }],
    ['is not valid: logo_uri', { logo_uri: 'javascript:alert(1)' }],
  ])('error: %s: %j', (problem, more) => {
    expect(read({ ...DOCUMENT, ...more })).toEqual({
      problem: expect.stringMatching(`^${problem.replace(/[()]/g, '.')}`),
    })
  })
})

test.each([
  [null, 3_600],
  [0, 300],
  [299, 300],
  [301, 301],
  [604_800, 604_800],
  [2 ** 31, 604_800],
])('freshForMs: max-age %s is %i s', (maxAgeSeconds, seconds) => {
  expect(freshForMs(maxAgeSeconds)).toBe(seconds * 1_000)
})

test('a document may have up to 5 KiB, as the draft says', () => {
  expect(MAX_DOCUMENT_BYTES).toBe(5_120)
})

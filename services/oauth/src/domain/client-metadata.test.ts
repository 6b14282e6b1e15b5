import { describe, expect, test } from 'vitest'
import { readClientMetadata } from './client-metadata.ts'

const SITE = 'https://client.example/callback'
const DEFAULTS = {
  redirect_uris: [SITE],
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code'],
  response_types: ['code'],
}

const read = (more: object = {}) => readClientMetadata({ redirect_uris: [SITE], ...more })

describe('readClientMetadata', () => {
  test('default: a confidential client for codes, when nothing else is specified', () => {
    expect(read()).toEqual(DEFAULTS)
  })

  test('behavior: null and empty members count as absent, and unknown ones are ignored', () => {
    const absent = { grant_types: null, scope: null, client_name: '', logo_uri: '', jwks: null, jwks_uri: '' }
    expect(read({ ...absent, software_statement: 'x', client_secret: 'mine' })).toEqual(DEFAULTS)
  })

  test.each([
    ['any scopes that there are', { scope: 'mcp:call router.use call.publish' }],
    ['no scope at all', { scope: ' ' }],
    ['renewal beside codes', { grant_types: ['refresh_token', 'authorization_code'] }],
    ['no secret', { token_endpoint_auth_method: 'none' }],
    ['several places to return to', { redirect_uris: [SITE, 'http://127.0.0.1/callback', 'com.example.app:/'] }],
  ])('default: a client may have %s', (_what, more) => {
    expect(read(more)).toEqual({ ...DEFAULTS, ...more })
  })

  test.each([
    ['jwks', 'which keys those are', { jwks: { keys: [] } }],
    ['jwks_uri', 'where its keys are', { jwks_uri: 'https://client.example/keys' }],
  ])('behavior: %s alone is ignored: a client may say %s', (_member, _what, more) => {
    expect(read(more)).toEqual(DEFAULTS)
  })

  test.each<[string, object]>([
    ['redirect_uris', { redirect_uris: undefined }],
    ['redirect_uris', { redirect_uris: [] }],
    ['redirect_uris', { redirect_uris: SITE }],
    ['redirect_uris.1', { redirect_uris: [SITE, 7] }],
    ['redirect_uris.0', { redirect_uris: ['http://client.example/callback'] }],
    ['redirect_uris.1', { redirect_uris: [SITE, `${SITE}#part`] }],
  ])('error: invalid_redirect_uri names %s of %j', (field, more) => {
    const message = expect.stringMatching(new RegExp(`^${field}: .`))
    expect(read(more)).toEqual({ refusal: 'invalid_redirect_uri', field, message })
  })

  test.each<[string, object]>([
    ['jwks', { jwks: { keys: [] }, jwks_uri: 'https://client.example/keys' }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['grant_types.0', { grant_types: ['password'] }],
    ['grant_types', { grant_types: [] }],
    ['grant_types', { grant_types: ['refresh_token'] }],
    ['response_types.0', { response_types: ['token'] }],
    ['response_types', { response_types: [] }],
    ['scope', { scope: 'mcp:call everything' }],
    ['scope', { scope: 'MCP:CALL' }],
    ['contacts.1', { contacts: ['ops@client.example', 7] }],
  ])('error: invalid_client_metadata names %s of %j', (field, more) => {
    const message = expect.stringMatching(new RegExp(`^${field}: .`))
    expect(read(more)).toEqual({ refusal: 'invalid_client_metadata', field, message })
  })

  test('error: more than 8 KiB is refused, regardless of its content', () => {
    const around = JSON.stringify({ redirect_uris: [SITE], unknown: '' }).length
    expect(read({ unknown: 'x'.repeat(8_192 - around) })).toEqual(DEFAULTS)
    expect(read({ unknown: 'x'.repeat(8_193 - around) })).toMatchObject({
      refusal: 'invalid_client_metadata',
      message: expect.stringContaining('8 KiB'),
    })
  })
})

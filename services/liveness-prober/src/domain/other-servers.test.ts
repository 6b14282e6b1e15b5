import type { Challenge } from '@callboard/x402'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { findingOf } from './finding.ts'

const PLAIN: Challenge = { kind: 'plain', offerTransport: 'none', authSchemes: [] }
const found = (status: number, body: unknown, headers: Answer['headers'] = {}) =>
  findingOf({ status, headers, bodyText: typeof body === 'string' ? body : JSON.stringify(body) }, PLAIN)
const rpcError = (code: unknown, message: unknown) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

describe('the card of an A2A agent', () => {
  const card = { name: 'a', skills: [], capabilities: {} }

  test('is one with skills and capabilities, in a successful answer', () => {
    expect(found(200, card)).toBe('a2a_card')
    expect(found(299, ` \n${JSON.stringify(card)}`)).toBe('a2a_card')
    expect(found(300, card)).toBe('redirect')
    expect(found(404, card)).toBe('not_found')
  })

  test.each([
    ['skills that are no list', { ...card, skills: {} }],
    ['no skills', { ...card, skills: undefined }],
    ['capabilities that are no object', { ...card, capabilities: [] }],
    ['no capabilities', { ...card, capabilities: undefined }],
    ['a list around it', [card]],
  ])('is none with %s', (_what, body) => {
    expect(found(200, body)).toBe('free')
  })
})

describe('an MCP server', () => {
  test.each(['mcp-session-id', 'mcp-protocol-version'])(
    'is recognized by its header %s, whatever it answers',
    (name) => {
      expect(found(200, '', { [name]: 'a' })).toBe('mcp_server')
      expect(found(400, 'no JSON', { [name]: '2025-06-18' })).toBe('mcp_server')
    },
  )

  test.each([
    [-32_000, 'Bad Request'],
    [-32_000, undefined],
    [-32_600, 'No valid session ID provided'],
    [-32_600, 'Not Acceptable: Client must accept text/event-stream'],
    [-32_600, 'This is an MCP endpoint'],
  ])('is recognized by its error %j %j', (code, message) => {
    expect(found(400, rpcError(code, message))).toBe('mcp_server')
  })

  test('is not recognized by a word that only contains its name', () => {
    expect(found(400, rpcError(-32_600, 'tmcpd failed'))).toBe('json_rpc_server')
    expect(found(400, rpcError(-32_600, 'mcpherson'))).toBe('json_rpc_server')
  })
})

describe('an A2A agent', () => {
  test.each([
    [-32_010, 'json_rpc_server'],
    [-32_009, 'a2a_server'],
    [-32_005, 'a2a_server'],
    [-32_001, 'a2a_server'],
    [-31_999, 'json_rpc_server'],
    [-32_700, 'json_rpc_server'],
    ['-32005', 'json_rpc_server'],
    [undefined, 'json_rpc_server'],
  ])('is recognized by its code: %j is %s', (code, finding) => {
    expect(found(400, rpcError(code, 'no'))).toBe(finding)
  })

  test.each(['a2a-version', 'a2a-extensions'])('is recognized by its header %s next to an error', (name) => {
    expect(found(400, rpcError(-32_600, 'no'), { [name]: '' })).toBe('a2a_server')
    expect(found(400, 'no JSON', { [name]: '1.0' })).toBe('wants_input')
  })

  test.each([
    ['Unknown A2A method', 'a2a_server'],
    ['use message/send', 'a2a_server'],
    ['a2ab', 'json_rpc_server'],
    ['ba2a', 'json_rpc_server'],
  ])('is recognized by its words: %s is %s', (message, finding) => {
    expect(found(400, rpcError(-32_600, message))).toBe(finding)
  })
})

describe('another JSON-RPC server', () => {
  test('is one that answers with an error of that protocol, even if its ids are large', () => {
    expect(found(404, rpcError(-32_700, 'Parse error'))).toBe('json_rpc_server')
    expect(found(200, rpcError(-32_700, 'Parse error'))).toBe('json_rpc_server')
    const large = '{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32700}}'
    expect(found(400, large)).toBe('json_rpc_server')
  })

  test.each([
    ['of another version', { jsonrpc: '1.0', error: { code: -32_000 } }],
    ['without an error', { jsonrpc: '2.0', result: { code: -32_000 } }],
    ['whose error is a text', { jsonrpc: '2.0', error: 'mcp' }],
    ['in a list', [rpcError(-32_000, 'mcp')]],
    ['that ends early', '{"jsonrpc":"2.0","error":{"code":-32000'],
    ['that is no JSON', 'jsonrpc 2.0 error -32000'],
  ])('is not recognized by a body %s', (_what, body) => {
    expect(found(400, body)).toBe('wants_input')
  })

  test('is not looked for in a server error, except in a 501', () => {
    expect(found(500, rpcError(-32_000, 'mcp'))).toBe('server_error')
    expect(found(503, '', { 'mcp-session-id': 'a' })).toBe('server_error')
    expect(found(501, rpcError(-32_000, 'mcp'))).toBe('mcp_server')
  })
})

test('no body makes it throw, whatever is where words are expected', () => {
  expect(found(400, rpcError(-32_600, { toString: 1, valueOf: 1 }))).toBe('json_rpc_server')
  for (const body of ['null', '"text"', '4', '[]']) expect(found(400, body)).toBe('wants_input')
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (code, message) => {
      expect(found(400, rpcError(code, message))).toMatch(/_server$|^wants_input$/)
    }),
  )
})

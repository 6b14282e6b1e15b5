import type { Challenge } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { findingOf } from './finding.ts'

const PLAIN: Challenge = { kind: 'plain', offerTransport: 'none', authSchemes: [] }

/** The finding of an answer other than 402, which asks for nothing. */
const found = (status: number, headers: Answer['headers'] = {}, bodyText = '') =>
  findingOf({ status, headers, bodyText }, PLAIN)

describe('the status says', () => {
  test.each([
    [200, 'free'],
    [204, 'free'],
    [299, 'free'],
    [300, 'redirect'],
    [301, 'redirect'],
    [308, 'redirect'],
    [399, 'redirect'],
    [400, 'wants_input'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [405, 'method_refused'],
    [406, 'refused'],
    [410, 'not_found'],
    [415, 'wants_input'],
    [418, 'refused'],
    [422, 'wants_input'],
    [429, 'rate_limited'],
    [499, 'refused'],
    [500, 'server_error'],
    [501, 'method_refused'],
    [502, 'server_error'],
    [503, 'server_error'],
    [599, 'server_error'],
  ])('%i: %s', (status, finding) => {
    expect(found(status)).toBe(finding)
  })
})

describe('a free page is recognized by its type', () => {
  test.each([
    ['text/html', 'free_page'],
    ['Text/HTML;charset=utf-8', 'free_page'],
    ['application/xhtml+xml', 'free_page'],
    [['text/html', 'application/json'], 'free_page'],
    [['application/json', 'text/html'], 'free'],
    ['application/json; about="text/html"', 'free'],
    ['text/plain', 'free'],
    ['', 'free'],
    [[], 'free'],
    [undefined, 'free'],
  ])('content type %j: %s', (contentType, finding) => {
    expect(found(200, { 'content-type': contentType })).toBe(finding)
  })
})

describe('a rate limit takes precedence over a server of another protocol', () => {
  test('only at 429', () => {
    expect(found(429, { 'mcp-session-id': 'a' })).toBe('rate_limited')
    expect(found(428, { 'mcp-session-id': 'a' })).toBe('mcp_server')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRegistered, redirectUriProblem, targetOf } from './redirect-uri.ts'

const NOT_ALLOWED = 'must be https, http on loopback, or a private-use scheme such as com.example.app:/'

describe('redirectUriProblem', () => {
  test.each([
    'https://client.example',
    'https://client.example/callback',
    'https://client.example?from=here',
    'https://client.example:8443/callback?state=1',
    'https://client.example:8443',
    'HTTPS://Client-1.EXAMPLE/callback',
    'https://192.0.2.1/callback',
    'http://127.0.0.1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:41234/callback',
    'http://[::1]:41234/callback',
    'http://[::1]?from=here',
    'http://localhost:3000/callback',
    'com.example.app:/callback',
    'com.example.app://callback',
    'com.example-2.app:/callback',
    'org.example:callback',
  ])('default: %s can be registered', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined()
  })

  test.each([
    ['is not an absolute URI', ''],
    ['is not an absolute URI', '/callback'],
    ['is not an absolute URI', 'client.example/callback'],
    ['is not an absolute URI', 'https://'],
    ['is not an absolute URI', 'https://client.example:99999/callback'],
    ['is not an absolute URI', 'http://127.0.0.1:65536/callback'],
    ['is not an absolute URI', ' https://client.example/callback'],
    ['is not an absolute URI', 'https://client.example/callback '],
    ['is not an absolute URI', 'https://client.example/call back'],
    ['is not an absolute URI', 'https://client.example/callback\r\nSet-Cookie: a=b'],
    ['is not an absolute URI', 'https://client.example/\u202Ekcabllac'],
    ['must not have a fragment', 'https://client.example/callback#'],
    ['must not have a fragment', 'https://client.example/callback#part'],
    ['must not have a fragment', 'com.example.app:/callback#part'],
    ['must not carry credentials', 'https://user@client.example/callback'],
    ['must not carry credentials', 'https://:secret@client.example/callback'],
    ['must not carry credentials', 'http://localhost:3000@evil.example/callback'],
    ['must not carry credentials', 'com.example.app://user@host/callback'],
  ])('error: %s: %j', (problem, uri) => {
    expect(redirectUriProblem(uri)).toBe(problem)
  })

  test.each([
    'http://client.example/callback',
    'http://127.0.0.2/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost.evil.example/callback',
    'http://localhostile/callback',
    'http://127.0x0.1/callback',
    'http://10.0.0.1/callback',
    'http://[::2]/callback',
    'http:localhost/callback',
    'https:client.example/callback',
    'https:/client.example/callback',
    'https://client.example\\evil.example/callback',
    'https://client_1.example/callback',
    'https://[2001:db8::1]/callback',
    'https://@client.example/callback',
    'https://client.example:/callback',
    'myapp:/callback',
    'myapp:https://client.example/callback',
    'myapp:http://localhost/callback',
    'myapp:com.example.app:/callback',
    'Com.example.app:/callback',
    'com..app:/callback',
    'com.example+app:/callback',
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
  ])('error: %s is neither a website, nor this machine, nor a program with a scheme of its domain', (uri) => {
    expect(redirectUriProblem(uri)).toBe(NOT_ALLOWED)
  })
})

describe('isRegistered', () => {
  const SITE = 'https://client.example/callback'

  test.each([
    [SITE, [SITE]],
    [SITE, ['https://client.example/other', SITE]],
    ['com.example.app:/callback', ['com.example.app:/callback']],
    ['http://127.0.0.1:41234/callback', ['http://127.0.0.1/callback']],
    ['http://127.0.0.1/callback', ['http://127.0.0.1:3000/callback']],
    ['http://127.0.0.1:41234/callback', ['http://127.0.0.1:3000/callback']],
    ['http://[::1]:41234?from=here', ['http://[::1]?from=here']],
    ['http://localhost:41234', [SITE, 'http://localhost']],
  ])('default: %s matches when %j are registered', (asked, registered) => {
    expect(isRegistered(asked, registered)).toBe(true)
  })

  test.each([
    [SITE, []],
    [`${SITE}/`, [SITE]],
    [`${SITE}?more=1`, [SITE]],
    ['https://client.example', [SITE]],
    ['HTTPS://client.example/callback', [SITE]],
    ['https://client.example:8443/callback', [SITE]],
    ['https://client.example:443/callback', [SITE]],
    ['https://evil.example/callback', [SITE, 'http://localhost/callback']],
    ['com.example.app:/other', ['com.example.app:/callback']],
    ['http://127.0.0.1:41234/other', ['http://127.0.0.1/callback']],
    ['http://127.0.0.1/callback?more=1', ['http://127.0.0.1/callback']],
    ['http://localhost:41234/callback', ['http://127.0.0.1/callback']],
    ['http://[::1]:41234/callback', ['http://127.0.0.1/callback']],
    ['https://127.0.0.1:41234/callback', ['http://127.0.0.1/callback']],
    ['http://localhost.evil.example/callback', ['http://localhost/callback']],
    ['http://localhost:3000@evil.example/callback', ['http://localhost/callback']],
    ['http://127.0.0.1:65536/callback', ['http://127.0.0.1/callback']],
  ])('behavior: %s does not match when %j are registered', (asked, registered) => {
    expect(isRegistered(asked, registered)).toBe(false)
  })

  test('behavior: only the port of a loopback address is up to the program', () => {
    const host = fc.constantFrom('http://127.0.0.1', 'http://[::1]', 'http://localhost')
    const rest = fc.constantFrom('', '/', '/callback', '/callback?a=1', '?a=1')
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }))
    const withPort = (of: number | null) => (of === null ? '' : `:${of}`)
    fc.assert(
      fc.property(host, rest, port, host, rest, port, (host, rest, port, otherHost, otherRest, otherPort) => {
        const registered = `${otherHost}${withPort(otherPort)}${otherRest}`
        const isSame = host === otherHost && rest === otherRest
        expect(isRegistered(`${host}${withPort(port)}${rest}`, [registered])).toBe(isSame)
      }),
    )
  })
})

describe('targetOf', () => {
  test.each([
    ['https://client.example:8443/callback', 'client.example:8443', 'https://client.example:8443', 'site'],
    ['https://client.example/callback?state=1', 'client.example', 'https://client.example', 'site'],
    ['http://localhost:3000/callback', 'localhost:3000', 'http://localhost:3000', 'loopback'],
    ['http://127.0.0.1/callback', '127.0.0.1', 'http://127.0.0.1', 'loopback'],
    ['http://[::1]:3000/callback', '[::1]:3000', 'http:', 'loopback'],
    ['com.example.app:/callback', 'com.example.app', 'com.example.app:', 'program'],
    ['com.example.app://host/callback', 'com.example.app', 'com.example.app:', 'program'],
  ])('default: %s leads to %s', (uri, host, formAction, to) => {
    expect(targetOf(uri)).toEqual({ host, formAction, to })
  })
})

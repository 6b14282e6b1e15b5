import { describe, expect, test } from 'vitest'
import { isLocal, whyNotCalled } from './listed-endpoint.ts'

const LISTED = [
  { method: 'GET', url: 'https://api.example/quote?key=a' },
  { method: 'POST', url: 'https://api.example/ask' },
]
const why = (method: string, url: string, listed = LISTED) => whyNotCalled({ method, url }, listed, false)

describe('a call is allowed', () => {
  test.each([
    ['an endpoint as it is listed', 'GET', 'https://api.example/quote?key=a'],
    ['with further parameters', 'GET', 'https://api.example/quote?city=Oslo&key=a'],
    ['with a fragment, which is not sent', 'POST', 'https://api.example/ask#there'],
    ['spelled otherwise, as it is sent all the same', 'POST', 'HTTPS://API.example:443/a/../%61/%2e%2e/ask'],
  ])('%s', (_what, method, url) => {
    expect(why(method, url)).toBeUndefined()
  })

  test('over plain HTTP, of a seller beside a service on this machine', () => {
    const local = [{ method: 'GET', url: 'http://127.0.0.1:8601/tides' }]
    expect(whyNotCalled({ method: 'GET', url: 'http://127.0.0.1:8601/tides' }, local, true)).toBeUndefined()
    expect(whyNotCalled({ method: 'GET', url: 'http://127.0.0.1:8601/tides' }, local, false)).toContain('not https')
    // A tunnel to a service elsewhere looks like a service on this machine.
    const further = { method: 'GET', url: 'http://10.0.0.1:8601/tides' }
    expect(whyNotCalled(further, [further], true)).toContain('not https')
  })
})

describe('a call is refused', () => {
  test.each([
    ['of another method', 'POST', 'https://api.example/quote?key=a', 'no endpoint POST https://api.example/quote'],
    ['of another path', 'GET', 'https://api.example/quote/1?key=a', 'no endpoint'],
    ['of another host', 'GET', 'https://api.example.evil/quote?key=a', 'no endpoint'],
    ['of another port', 'GET', 'https://api.example:8443/quote?key=a', 'no endpoint'],
    ['without a listed parameter', 'GET', 'https://api.example/quote', 'no endpoint'],
    ['with another value of a listed parameter', 'GET', 'https://api.example/quote?key=b', 'no endpoint'],
    [
      'with a second value, of which a server may take either',
      'GET',
      'https://api.example/quote?key=b&key=a',
      'no endpoint',
    ],
    ['of the host with a dot, which is another name', 'POST', 'https://api.example./ask', 'no endpoint'],
    ['of a path that is encoded otherwise', 'POST', 'https://api.example/%61sk', 'no endpoint'],
    ['over plain HTTP', 'POST', 'http://api.example/ask', 'the URL is not https'],
    ['of a file', 'GET', 'file:///etc/passwd', 'the URL is not https'],
    ['with a password', 'POST', 'https://user:pass@api.example/ask', 'a user name or a password'],
    ['of no URL', 'GET', 'api.example/quote', 'is not a URL'],
  ])('%s', (_what, method, url, reason) => {
    expect(why(method, url)).toContain(reason)
  })

  test('by a reason that names what is listed', () => {
    expect(why('GET', 'https://api.example/ask')).toBe(
      'the listing has no endpoint GET https://api.example/ask; it has GET https://api.example/quote?key=a, POST https://api.example/ask',
    )
    expect(why('GET', 'https://api.example/ask', [])).toContain('it has none')
  })
})

test.each([
  ['http://127.0.0.1:8402', true],
  ['http://localhost:8402', true],
  ['http://[::1]:8402', true],
  ['https://callboard.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://10.0.0.1', false],
])('%s is on this machine: %s', (baseUrl, is) => {
  expect(isLocal(baseUrl)).toBe(is)
})

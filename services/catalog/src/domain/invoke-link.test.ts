import { expect, test } from 'vitest'
import { invokeHref } from './invoke-link.ts'

const KEY = 'a key that is long enough for a test'
const call = {
  url: 'https://api.example/ask?a=1&b=2',
  method: 'GET',
  schema: '/api/calls/answers',
  network: 'eip155:8453',
}
const sigOf = (href: string) => new URLSearchParams(href.split('?')[1]).get('sig')

test('the link is the call as a query, with a signature over it', () => {
  expect(invokeHref(KEY, call)).toBe(
    '/call/invoke?url=https%3A%2F%2Fapi.example%2Fask%3Fa%3D1%26b%3D2&method=GET&schema=%2Fapi%2Fcalls%2Fanswers' +
      '&network=eip155%3A8453&sig=kHcDJgsffnkkyQGGwvHZCxLSkVG3OpKxrzQ8wEQWbSE',
  )
})

test('the signature depends on every member of the call, and on the key', () => {
  const hrefs = [
    invokeHref(KEY, call),
    invokeHref(`${KEY}.`, call),
    invokeHref(KEY, { ...call, url: `${call.url}3` }),
    invokeHref(KEY, { ...call, method: 'POST' }),
    invokeHref(KEY, { ...call, schema: '/api/calls/others' }),
    invokeHref(KEY, { ...call, network: 'eip155:84532' }),
  ]
  expect(new Set(hrefs.map(sigOf)).size).toBe(6)
})

test('no member of a call can pass as another one', () => {
  const smuggled = { ...call, url: 'https://api.example/ask', method: 'GET&schema=/api/calls/others' }
  const query = new URLSearchParams(invokeHref(KEY, smuggled).split('?')[1])
  expect(query.getAll('schema')).toEqual(['/api/calls/answers'])
})

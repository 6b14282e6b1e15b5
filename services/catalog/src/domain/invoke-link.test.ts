import { expect, test } from 'vitest'
import { type InvokeCall, invokeAction, invokeHref, isSigned, slugOf } from './invoke-link.ts'

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

/** A link as its reader gets it: the members of its query. */
const opened = (href: string): { call: InvokeCall; sig: string } => {
  const { sig = '', ...call } = Object.fromEntries(new URLSearchParams(href.split('?')[1]))
  return { call: call as unknown as InvokeCall, sig }
}

test('a link is signed if any of the keys signed it, wherever that key stands', () => {
  const { call: read, sig } = opened(invokeHref(KEY, call))
  expect(read).toEqual(call)
  for (const keys of [[KEY], ['another', KEY], [KEY, 'another'], ['a', 'b', 'c', KEY]]) {
    expect(isSigned(keys, read, sig), keys.join()).toBe(true)
  }
  expect(isSigned(['another', 'a third'], read, sig)).toBe(false)
})

test('a link of which one member is another is not signed', () => {
  const { sig } = opened(invokeHref(KEY, call))
  for (const member of ['url', 'method', 'schema', 'network'] as const) {
    for (const other of [`${call[member]}x`, '', call[member].slice(1), `${call[member]}&`]) {
      expect(isSigned([KEY], { ...call, [member]: other }, sig), `${member} ${other}`).toBe(false)
    }
  }
})

test('a signature is taken as it was written, and in no other form', () => {
  const { sig } = opened(invokeHref(KEY, call))
  // The last of its characters has bits that no byte needs: other characters there decode to the same bytes.
  const same = ['F', 'G', 'H'].map((last) => sig.slice(0, -1) + last)
  for (const one of same) expect(Buffer.from(one, 'base64url')).toEqual(Buffer.from(sig, 'base64url'))
  for (const other of [...same, '', sig.slice(1), `${sig}=`, `${sig}A`, sig.toLowerCase(), 'é'.repeat(21)]) {
    expect(isSigned([KEY], call, other), other).toBe(false)
  }
})

test('the action of a call opens it, and names its listing', () => {
  const { type, href } = invokeAction(KEY, 'answers', { ...call, payment: { network: 'eip155:8453' } })
  expect([type, href]).toEqual(['invoke_api', invokeHref(KEY, call)])
  expect(slugOf(call)).toBe('answers')
})

import { expect, test } from 'vitest'
import { originForm } from './odd-requests.ts'

test.each([
  ['/x402/decode?a=http://b/', '/x402/decode?a=http://b/'],
  ['http://evil.example/x402/decode?a=1', '/x402/decode?a=1'],
  ['HTTPS://evil.example', '/'],
  ['http://evil.example?a=/b', '/?a=/b'],
  ['//evil.example/x', '//evil.example/x'],
  ['ftp://evil.example/x', 'ftp://evil.example/x'],
  ['*', '/*'],
])('%s is read as %s', (target, taken) => {
  expect(originForm(target)).toBe(taken)
})

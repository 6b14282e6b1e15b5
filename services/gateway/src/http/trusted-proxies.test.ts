import { expect, test } from 'vitest'
import { TrustedProxies } from './trusted-proxies.ts'

test.each<[string, number | string[]]>([
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['203.0.113.7, fd00::/8', ['203.0.113.7', 'fd00::/8']],
])('%s: accepted', (text, value) => {
  expect(TrustedProxies.parse(text)).toEqual(value)
})

test.each([
  'true',
  'false',
  'yes',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/8,',
  'proxy.example',
])('%s: refused, with what to write instead', (text) => {
  expect(TrustedProxies.safeParse(text).error?.issues[0]?.message).toMatch(/number of proxies.*networks.*empty/)
})

test.each(['0', '17', '99999'])('%s proxies are refused', (text) => {
  expect(TrustedProxies.safeParse(text).error?.issues[0]?.message).toMatch(/^must be 1 to 16 proxies/)
})

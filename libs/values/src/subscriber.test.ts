import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf, subscriberOf } from './subscriber.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8:1::2:3:192.0.2.7', '2001:db8:1:0::/64'],
  ['::FFFF:192.168.100.200', '192.168.100.200'],
  ['::ffff:192.0.2.7%eth0', '192.0.2.7'],
  ['2001:db8::ffff:192.0.2.7', '2001:db8:0:0::/64'],
  ['::2:3:4:5:192.0.2.7', '0:0:2:3::/64'],
  ['::2:3:4:5:192.168.100.200', '0:0:2:3::/64'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['1:2:3::', '1:2:3:0::/64'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.7]:50123', '192.0.2.7'],
  ['::', '0:0:0:0::/64'],
])('%s is counted as %s', (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber)
})

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.200', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['192.0.3.1', '192.0.3.0/24'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['64:ff9b:1::192.0.2.1', '64:ff9b:1::/48'],
  ['192.0.2.7:50123', '192.0.2.0/24'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1::/48'],
])('%s is counted with the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('every spelling of an IPv6 address is the same subscriber and the same network', () => {
  const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16))
  const run = fc.record({ from: fc.nat({ max: 6 }), length: fc.integer({ min: 2, max: 8 }) })
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), run, (given, { from, length }) => {
      const groups = given.map((value, at) => (at >= from && at < from + length ? '0' : value))
      const short = `${groups.slice(0, from).join(':')}::${groups.slice(from + length).join(':')}`
      const full = groups.map((value) => value.padStart(4, '0').toUpperCase()).join(':')
      for (const spelling of [groups.join(':'), short, full, `${short}%eth0`]) {
        expect(subscriberOf(spelling)).toBe(`${groups.slice(0, 4).join(':')}::/64`)
        expect(networkOf(spelling)).toBe(`${groups.slice(0, 3).join(':')}::/48`)
      }
    }),
  )
})

test('a text with too many groups is counted by its first ones', () => {
  expect(subscriberOf('a:b:c:d:e:f:1:2:3:4')).toBe('a:b:c:d::/64')
  expect(subscriberOf('a::b:c:d:e:f:1:2:3:4')).toBe('a:b:c:d::/64')
})

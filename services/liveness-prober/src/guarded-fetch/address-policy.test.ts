import { describe, expect, test } from 'vitest'
import { addressPolicy } from './address-policy.ts'

const WEB = new Set([80, 443])
const strict = addressPolicy({ ports: WEB, refusedCidrs: [], allowLoopback: false })

describe('addressPolicy', () => {
  test.each([
    '93.184.216.34',
    '172.32.0.1',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2606:2800::5efe:93.184.216.34',
    '2606:2800::100:5efe:10.0.0.1',
  ])('default: %s is public', (address) => {
    expect(strict(address, 443)).toBe(true)
  })

  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.100.100.200',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::a9fe:a9fe',
    '4000::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:168.63.129.16',
    '::ffff:0:127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '100::1',
    '100:0:0:1::5',
    '5f00::1',
    '3fff::1',
    '2001:db8::1',
    '3ffe::1',
    '3ffe:ffff::1',
    '2606:2800::5efe:10.0.0.1',
    '2606:2800::5efe:127.0.0.1',
    '2606:2800::200:5efe:192.168.1.1',
    '2606:2800:1:2:200:5efe:a9fe:a9fe',
    '2606:2800::5efe:168.63.129.16',
    '2606:2800::200:5efe:0.0.0.0',
  ])('refuses: %s', (address) => {
    expect(strict(address, 443)).toBe(false)
  })

  test.each(['localhost', '127.1', '2130706433', '0x7f.1', '', 'fe80::1%eth0'])(
    'refuses a text that is no address: %s',
    (text) => {
      expect(strict(text, 443)).toBe(false)
    },
  )

  test('behavior: port 0 is refused, even on loopback', () => {
    const anywhere = addressPolicy({ ports: new Set([0, 80]), refusedCidrs: [], allowLoopback: true })
    expect(['127.0.0.1', '::1', '93.184.216.34'].some((address) => anywhere(address, 0))).toBe(false)
  })

  test('behavior: ports that are not allowed are refused', () => {
    expect(strict('93.184.216.34', 6379)).toBe(false)
    expect(addressPolicy({ ports: new Set([8443]), refusedCidrs: [], allowLoopback: false })('1.1.1.1', 8443)).toBe(
      true,
    )
  })

  test('behavior: configured ranges are refused too, even as IPv4 inside IPv6', () => {
    const own = addressPolicy({ ports: WEB, refusedCidrs: ['93.184.0.0/16', '2606:2800::/32'], allowLoopback: false })
    expect(own('93.184.216.34', 443)).toBe(false)
    expect(own('::ffff:93.184.216.34', 443)).toBe(false)
    expect(own('2a00::5efe:93.184.216.34', 443)).toBe(false)
    expect(own('2606:2800:220::1', 443)).toBe(false)
    expect(own('93.185.0.1', 443)).toBe(true)
  })

  test('behavior: the devnet allows loopback on any port, and nothing else', () => {
    const devnet = addressPolicy({ ports: WEB, refusedCidrs: [], allowLoopback: true })
    expect(devnet('127.0.0.1', 4021)).toBe(true)
    expect(devnet('::1', 4021)).toBe(true)
    expect(['10.0.0.1', '169.254.169.254', '0.0.0.0', 'fc00::1'].some((address) => devnet(address, 80))).toBe(false)
  })
})

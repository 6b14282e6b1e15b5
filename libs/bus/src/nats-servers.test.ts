import { describe, expect, test } from 'vitest'
import { readNatsServers } from './nats-servers.ts'

describe('readNatsServers', () => {
  test('default: addresses with and without a scheme', () => {
    expect(readNatsServers('nats://a:4222, b:4223')).toEqual({ servers: ['nats://a:4222', 'nats://b:4223'] })
  })

  test('behavior: tls:// asks for an encrypted connection', () => {
    expect(readNatsServers('tls://[::1]:4222')).toEqual({ servers: ['tls://[::1]:4222'], tls: {} })
    expect(readNatsServers('tls://gateway:p@a,tls://gateway:p@b')).toMatchObject({ user: 'gateway', tls: {} })
  })

  test('error: only some addresses are encrypted', () => {
    expect(() => readNatsServers('tls://a,nats://b')).toThrow('encrypts only some of its addresses')
  })

  test('behavior: user and password are decoded and removed from the address', () => {
    expect(readNatsServers('nats://gateway:p%40ss@a:4222,nats://gateway:p%40ss@b')).toEqual({
      servers: ['nats://a:4222', 'nats://b'],
      user: 'gateway',
      pass: 'p@ss',
    })
  })

  test('error: two different users', () => {
    expect(() => readNatsServers('nats://a:1@h,nats://b:1@h')).toThrow('several users')
  })
})

import { describe, expect, test } from 'vitest'
import { clientIdUrlProblem, isClientIdUrl } from './client-id-url.ts'

const problem = (id: string, allowLoopback = false) => clientIdUrlProblem(id, { allowLoopback })

describe('isClientIdUrl', () => {
  test.each(['https://client.example/id', 'http://client.example', 'HTTPS://client.example', 'https:client.example'])(
    'default: %s is a client id URL',
    (id) => {
      expect(isClientIdUrl(id)).toBe(true)
    },
  )
  test.each(['', 'client_1', 'agent_0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'ftp://a/b', ' https://a/b'])(
    'behavior: "%s" is not a client id URL',
    (id) => {
      expect(isClientIdUrl(id)).toBe(false)
    },
  )
})

describe('clientIdUrlProblem', () => {
  test.each([
    'https://client.example/id',
    'https://client.example/.well-known/client.json',
    'https://client.example:8443/id/',
    'https://client.example/id?version=2',
    'https://xn--bcher-kva.example/id',
    'https://client.example/a..b/...',
    `https://client.example/${'a'.repeat(2_048 - 23)}`,
  ])('default: %s', (id) => {
    expect(problem(id)).toBeUndefined()
  })

  test.each([
    ['http://client.example/id', 'must be an https URL'],
    ['http://127.0.0.1:80/id', 'must be an https URL'],
    ['https://client.example', 'must have a path'],
    ['https://client.example/', 'must have a path'],
    ['https://client.example/?id=1', 'must have a path'],
    ['https://client.example/..', 'must have a path'],
    ['https://user@client.example/id', 'must not carry credentials'],
    ['https://user:secret@client.example/id', 'must not carry credentials'],
    ['https://:secret@client.example/id', 'must not carry credentials'],
    ['https://:@client.example/id', 'must be in normal form'],
    ['https://client.example/id#', 'must not have a fragment'],
    ['https://client.example/id#part', 'must not have a fragment'],
    ['https://client.example/a/../id', 'must be in normal form'],
    ['https://client.example/./id', 'must be in normal form'],
    ['https://client.example/%2e%2E/id', 'must be in normal form'],
    ['https://Client.example/id', 'must be in normal form'],
    ['HTTPS://client.example/id', 'must be in normal form'],
    ['https://client.example:443/id', 'must be in normal form'],
    ['https:client.example/id', 'must be in normal form'],
    ['https:\\\\client.example\\id', 'must be in normal form'],
    ['https://bücher.example/id', 'must be in normal form'],
    ['https://0x7f.1/id', 'must be in normal form'],
    ['https://client.example/i d', 'must be in normal form'],
    ['https://client.example/i\nd', 'must be in normal form'],
    ['https://', 'is not a URL'],
    ['https://client.example:99999/id', 'is not a URL'],
    [`https://client.example/${'a'.repeat(2_048 - 22)}`, 'is longer than'],
  ])('error: %s %s', (id, why) => {
    expect(problem(id)).toMatch(new RegExp(`^${why}`))
  })

  test.each(['http://127.0.0.1:4000/id', 'http://[::1]/id', 'http://localhost:4000/id'])(
    'behavior: a devnet accepts %s',
    (id) => {
      expect(problem(id, true)).toBeUndefined()
      expect(problem(id)).toBe('must be an https URL')
    },
  )

  test.each([
    'http://client.example/id',
    'http://127.0.0.1.example/id',
    'http://localhost@client.example/id',
    'http://10.0.0.1/id',
    'http://127.0.0.2/id',
    'http://client.example/?http://localhost/id',
  ])('behavior: a devnet does not accept %s', (id) => {
    expect(problem(id, true)).toBe('must be an https URL')
  })
})

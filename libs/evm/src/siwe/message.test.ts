import fc from 'fast-check'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { parseSiwe, SIWE_MAX_LENGTH, type SiweFields, siweMessage } from './message.ts'

/** The example in the EIP's text. */
const EIP_EXAMPLE = `example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`

const fields = {
  domain: 'localhost:4021',
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  statement: 'Link this wallet to a service account as an agent.',
  uri: 'http://localhost:4021',
  chainId: 8453,
  nonce: 'k7fJ2mQ9xT4bV8nZ1cR6',
  issuedAt: '2026-11-21T00:00:00.000Z',
} as const satisfies SiweFields
const text = siweMessage(fields)
const ADDRESS = fields.address

describe('siweMessage', () => {
  test('default: writes the text that viem writes for the same fields', () => {
    const { issuedAt, ...rest } = fields
    expect(text).toBe(createSiweMessage({ ...rest, issuedAt: new Date(issuedAt), version: '1' }))
  })

  test('error: refuses a statement outside the grammar', () => {
    expect(() => siweMessage({ ...fields, statement: 'two\nlines' })).toThrow()
    expect(() => siweMessage({ ...fields, statement: 'smörgås' })).toThrow()
  })

  test('error: refuses a message longer than the parser’s limit', () => {
    expect(() => siweMessage({ ...fields, statement: 'a'.repeat(SIWE_MAX_LENGTH) })).toThrow('no readable')
  })
})

describe('parseSiwe', () => {
  test('default: reads the example of EIP-4361', () => {
    expect(parseSiwe(EIP_EXAMPLE)).toEqual({
      domain: 'example.com',
      address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      statement: 'I accept the ExampleOrg Terms of Service: https://example.com/tos',
      uri: 'https://example.com/login',
      chainId: 1,
      nonce: '32891756',
      issuedAt: '2021-09-30T16:25:24Z',
      resources: [
        'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
        'https://example.com/my-web2-claim.json',
      ],
    })
  })

  test('behavior: returns what siweMessage was given', () => {
    const statement = fc.stringMatching(/^[A-Za-z0-9 .,!$&'()*+;=:@/?#-]{1,80}$/)
    const nonce = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/)
    const chainId = fc.integer({ min: 1, max: 2 ** 31 })
    fc.assert(
      fc.property(statement, nonce, chainId, (statement, nonce, chainId) => {
        const given = { ...fields, statement, nonce, chainId, expirationTime: '2026-11-21T00:10:00.000Z' }
        expect(parseSiwe(siweMessage(given))).toEqual(given)
      }),
      { numRuns: 40 },
    )
  })

  test('behavior: an address in one letter case is returned in EIP-55', () => {
    expect(parseSiwe(text.replace(ADDRESS, ADDRESS.toLowerCase()))?.address).toBe(ADDRESS)
  })

  test.each([
    ['a wrong checksum', text.replace(ADDRESS, ADDRESS.replace('C8', 'c8'))],
    ['CRLF line ends', text.replaceAll('\n', '\r\n')],
    ['a newline at the end', `${text}\n`],
    ['text after the last field', `${text}\nand more`],
    ['one empty line too few', text.replace('\n\nURI', '\nURI')],
    ['version 2', text.replace('Version: 1', 'Version: 2')],
    ['a chain id with a leading zero', text.replace('8453', '08453')],
    ['a chain id beyond 2^53', text.replace('8453', '9007199254740993')],
    ['chain id 0', text.replace('8453', '0')],
    ['a nonce of 7 characters', text.replace(fields.nonce, 'abcdef1')],
    ['a nonce with a dash', text.replace(fields.nonce, 'abcdefgh-1')],
    ['30 February', text.replace('11-21', '02-30')],
    ['a time without zone', text.replace('.000Z', '')],
    ['a leap second', text.replace('2026-11-21T00:00:00.000Z', '2016-12-31T23:59:60Z')],
    ['a quote in the statement', text.replace('service', '"service"')],
    ['letters outside ASCII', text.replace('service', 'sérvice')],
    ['a field twice', text.replace('Version: 1', 'Version: 1\nVersion: 1')],
    ['nothing', ''],
  ])('error: undefined for %s', (_what, changed) => {
    expect(changed).not.toBe(text)
    expect(parseSiwe(changed)).toBeUndefined()
  })
})

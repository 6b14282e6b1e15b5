import { describe, expect, test } from 'vitest'
import { REQUIREMENTS, THIRD_PARTY, TOKENS } from '../../test/vectors.ts'
import { toV1Requirements } from '../messages/v1.ts'
import { V1_NETWORKS } from '../messages/v1-networks.ts'
import { readForeignOffer } from './foreign-offer.ts'

const RESOURCE = { url: 'https://api.example/weather', description: 'Weather', mimeType: 'application/json' }
const V1_ENTRY = { ...toV1Requirements(REQUIREMENTS, RESOURCE) }
const CONTEXT = { networks: V1_NETWORKS, tokens: TOKENS }

const read = (offer: Record<string, unknown>) => readForeignOffer(offer, CONTEXT)
const v2 = (...accepts: unknown[]) => read({ x402Version: 2, resource: RESOURCE, accepts })
const v1 = (...accepts: unknown[]) => read({ x402Version: 1, accepts })

describe('version', () => {
  test.each([
    [2, 2, []],
    [3, 3, ['X402_VERSION_UNSUPPORTED']],
    [0, 0, ['X402_VERSION_UNSUPPORTED']],
    [undefined, null, ['X402_VERSION_MISSING']],
    ['2', null, ['X402_VERSION_MISSING']],
    [1.5, null, ['X402_VERSION_MISSING']],
    [2 ** 53, null, ['X402_VERSION_MISSING']],
  ])('behavior: %j is read as %j', (declared, x402Version, issues) => {
    expect(read({ x402Version: declared, resource: RESOURCE, accepts: [REQUIREMENTS] })).toMatchObject({
      x402Version,
      accepts: [REQUIREMENTS],
      issues,
    })
  })

  test('behavior: entries of another version are listed and not payable', () => {
    expect(read({ x402Version: 3, accepts: [REQUIREMENTS, { ...REQUIREMENTS, amount: '0' }] }).payability).toEqual([
      { payable: false, reason: 'version' },
      { payable: false, reason: 'amount' },
    ])
  })

  test('behavior: without a version an entry is read by its own members', () => {
    expect(read({ accepts: [V1_ENTRY, REQUIREMENTS] }).accepts).toEqual([REQUIREMENTS, REQUIREMENTS])
    expect(v2(V1_ENTRY)).toMatchObject({ accepts: [], unread: [{ index: 0, given: V1_ENTRY }] })
    expect(v1(REQUIREMENTS)).toMatchObject({ accepts: [], unread: [{ index: 0, issue: 'X402_ACCEPT_ENTRY_INVALID' }] })
  })
})

describe('entries', () => {
  test('behavior: reads the first 64', () => {
    expect(v2(...Array.from({ length: 65 }, () => REQUIREMENTS)).accepts).toHaveLength(64)
  })

  test.each([
    ['no list', {}, ['X402_ACCEPTS_INVALID']],
    ['an empty list', [], ['X402_ACCEPTS_EMPTY']],
    ['nothing', undefined, ['X402_ACCEPTS_MISSING']],
  ])('error: reports accepts that are %s', (_, accepts, issues) => {
    expect(read({ x402Version: 2, accepts })).toStrictEqual({
      x402Version: 2,
      accepts: [],
      payability: [],
      unread: [],
      issues,
    })
  })

  test('behavior: optional members that are null are absent in both versions', () => {
    expect(v2({ ...REQUIREMENTS, note: null }).accepts).toStrictEqual([REQUIREMENTS])
    expect(v1({ ...V1_ENTRY, description: null, outputSchema: null }).accepts).toEqual([REQUIREMENTS])
  })

  test('behavior: an issue that two entries share is reported once', () => {
    expect(v2({ scheme: 'exact' }, 'exact', null).issues).toEqual(['X402_ACCEPT_ENTRY_INVALID'])
  })

  test.each([
    [{ network: 'eip155:08453' }, 'NETWORK_EIP155_REFERENCE_INVALID', ['network']],
    [{ network: 'base' }, 'NETWORK_CAIP2_INVALID', ['network']],
    [{ network: 8453 }, 'X402_ACCEPT_ENTRY_INVALID', ['network']],
    [{ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', amount: 1 }, 'X402_ACCEPT_ENTRY_INVALID', ['amount']],
    [{ amount: '0.02', maxTimeoutSeconds: 0 }, 'X402_ACCEPT_ENTRY_INVALID', ['amount', 'maxTimeoutSeconds']],
  ])('error: an entry with %j is unread as %s, for its members %j', (change, issue, members) => {
    const given = { ...REQUIREMENTS, ...change }
    expect(v2(REQUIREMENTS, given)).toMatchObject({ unread: [{ index: 1, issue, members, given }], issues: [issue] })
  })

  test('error: version 1 members are reported under their own names, and a value that is not an entry reports none', () => {
    const { unread } = v1({ ...V1_ENTRY, maxAmountRequired: 1 }, 'exact', { ...V1_ENTRY, network: 'nowhere' })
    expect(unread.map(({ members }) => members)).toEqual([['maxAmountRequired'], [], ['network']])
  })

  test.each<[string, object, string[]]>([
    ['no name of the domain', { extra: { version: '2' } }, ['EIP712_DOMAIN_MISSING']],
    ['no version of the domain', { extra: { name: 'USD Coin' } }, ['EIP712_DOMAIN_MISSING']],
    ['an empty name', { extra: { name: '', version: '2' } }, ['EIP712_DOMAIN_MISSING']],
    ['an empty version', { extra: { name: 'USD Coin', version: '' } }, ['EIP712_DOMAIN_MISSING']],
    ['a version that is a number', { extra: { name: 'USD Coin', version: 2 } }, ['EIP712_DOMAIN_MISSING']],
    ['no domain for another method', { extra: { assetTransferMethod: 'permit2' } }, ['TRANSFER_METHOD_UNSUPPORTED']],
    ['an unknown token', { asset: THIRD_PARTY }, ['ASSET_UNKNOWN']],
    ['the token in lower case', { asset: REQUIREMENTS.asset.toLowerCase() }, []],
    ['a token on a network that we do not know', { network: 'eip155:1', asset: THIRD_PARTY }, []],
    ['no domain on another kind of chain', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', extra: {} }, []],
    ['no domain with another scheme', { scheme: 'upto', extra: {} }, []],
    ['the ledger of Circle Gateway', { extra: { name: 'GatewayWalletBatched' } }, ['GATEWAY_BATCHED']],
  ])('behavior: an entry with %s has the expected issues', (_, change, issues) => {
    expect(v2({ ...REQUIREMENTS, ...change }).issues).toEqual(issues)
  })

  test('behavior: both of two tokens served on a network are known', () => {
    const tokens = TOKENS.flatMap((token) => [token, { ...token, asset: THIRD_PARTY }])
    for (const asset of [REQUIREMENTS.asset, THIRD_PARTY]) {
      const offer = { x402Version: 2, accepts: [{ ...REQUIREMENTS, asset }] }
      expect(readForeignOffer(offer, { networks: V1_NETWORKS, tokens }).issues).toEqual([])
    }
  })

  test('behavior: a sound entry is unpayable behind an unpayable one that clients choose first', () => {
    const unpayable = { ...REQUIREMENTS, amount: '0' }
    expect(v2(unpayable, REQUIREMENTS)).toMatchObject({
      payability: [
        { payable: false, reason: 'amount' },
        { payable: false, reason: 'behind-unpayable' },
      ],
      issues: ['AMOUNT_NOT_POSITIVE', 'BEHIND_UNPAYABLE'],
    })
    expect(v2(REQUIREMENTS, unpayable).payability).toMatchObject([{ payable: true }, { reason: 'amount' }])
  })
})

describe('resource, extensions and discovery', () => {
  test('default: resource and extensions of version 2 are returned as sent', () => {
    const extensions = { bazaar: { info: { input: { type: 'http', method: 'GET' } } } }
    expect(read({ x402Version: 2, resource: RESOURCE, accepts: [REQUIREMENTS], extensions })).toMatchObject({
      resource: RESOURCE,
      extensions,
      discovery: { metadataEvidence: 'bazaar', method: 'GET' },
    })
  })

  test('default: a resource of version 1 is read from its entry', () => {
    expect(v1(V1_ENTRY).resource).toStrictEqual(RESOURCE)
    expect(v1({ ...V1_ENTRY, description: '', mimeType: '' }).resource).toStrictEqual({ url: RESOURCE.url })
    expect(v1({ ...V1_ENTRY, network: 'arc' })).toMatchObject({ accepts: [], resource: RESOURCE })
  })

  test('behavior: unreadable parts are left out', () => {
    const bare = read({ x402Version: 2, resource: 'weather', accepts: [REQUIREMENTS], extensions: [] })
    for (const member of ['resource', 'extensions', 'discovery']) expect(bare).not.toHaveProperty(member)
    expect(v1({ ...V1_ENTRY, resource: undefined })).not.toHaveProperty('resource')
  })
})

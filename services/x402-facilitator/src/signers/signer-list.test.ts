import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { readSigners, regionOf } from './signer-list.ts'

const KEY = `0x${'1'.repeat(64)}`
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const OTHER_KEY = `0x${'2'.repeat(64)}`
const [THIRD, FOURTH] = [getAddress(`0x${'3'.repeat(40)}`), getAddress(`0x${'4'.repeat(40)}`)]
const ARN = 'arn:aws:kms:eu-north-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const NAME = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/3'
const URL_OF_KEY = 'https://signer:9000/api/v1/eth1/sign/0x04ab'

describe('readSigners', () => {
  test('default: reads every kind, in the order given', () => {
    const text = `${OTHER_KEY}, aws-kms:${THIRD}@${ARN},gcp-kms:${FOURTH}@${NAME},web3signer:${ADDRESS.toLowerCase()}@${URL_OF_KEY}`
    expect(readSigners(text)).toEqual([
      { kind: 'local', key: OTHER_KEY, retiring: false },
      { kind: 'aws-kms', address: THIRD, at: ARN, retiring: false },
      { kind: 'gcp-kms', address: FOURTH, at: NAME, retiring: false },
      { kind: 'web3signer', address: ADDRESS, at: URL_OF_KEY, retiring: false },
    ])
    expect(regionOf(ARN)).toBe('eu-north-1')
  })

  test('behavior: reads a retiring signer', () => {
    expect(readSigners(`retiring:${KEY},aws-kms:${THIRD}@${ARN}`)).toMatchObject([
      { retiring: true },
      { retiring: false },
    ])
  })

  test.each([
    ['nothing', ''],
    ['a key of 63 digits', KEY.slice(0, -1)],
    ['an address whose checksum is wrong', `aws-kms:${ADDRESS.replace('a7', 'A7').replace('dD', 'dd')}@${ARN}`],
    ['a place of another kind', `gcp-kms:${ADDRESS}@${ARN}`],
    ['a URL that is no key’s', `web3signer:${ADDRESS}@https://signer:9000`],
    ['an unknown kind', `vault:${ADDRESS}@x`],
    ['none that takes payments', `retiring:${KEY}`],
    ['an empty entry', `${KEY},`],
    ['an account that is retiring and is not', `${KEY},retiring:${KEY}`],
    ['an account at two places', `${KEY},aws-kms:${ADDRESS}@${ARN}`],
    ['digits that are no key', `0x${'0'.repeat(64)},${KEY}`],
    ['digits beyond the order of the curve', `0x${'f'.repeat(64)},${KEY}`],
  ])('error: undefined for %s', (_, text) => {
    expect(readSigners(text)).toBeUndefined()
  })
})

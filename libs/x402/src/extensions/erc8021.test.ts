import {
  encodeBuilderCodeSuffix as encodeReference,
  parseBuilderCodeSuffixFromCalldata,
} from '@x402/extensions/builder-code'
import fc from 'fast-check'
import { bytesToHex, concatHex, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { BuilderCodes } from './builder-code.ts'
import { ERC_8021_MARKER, encodeBuilderCodeSuffix, parseBuilderCodeSuffix } from './erc8021.ts'

const CALL: Hex = '0xe3ee160e00'
const code = fc.stringMatching(/^[a-z0-9_]{1,32}$/)
const codes = fc
  .record({ a: code, w: code, s: fc.array(code, { minLength: 1, maxLength: 11 }) }, { requiredKeys: [] })
  .map((value): BuilderCodes => value)

const suffixed = (cbor: string) =>
  `${CALL}${cbor}${(cbor.length / 2).toString(16).padStart(4, '0')}02${ERC_8021_MARKER}` as Hex

describe('ERC-8021 suffix', () => {
  test.each<[BuilderCodes, Hex]>([
    [{ s: ['svc'] }, '0xa16173816373766300080280218021802180218021802180218021'],
    [
      { a: 'bc_app', w: 'bc_fac', s: ['svc'] },
      '0xa361616662635f61707061776662635f66616361738163737663001a0280218021802180218021802180218021',
    ],
  ])('default: matches the published vector of %j', (value, suffix) => {
    expect(encodeBuilderCodeSuffix(value)).toBe(suffix)
    expect(parseBuilderCodeSuffix(concatHex([CALL, suffix]))).toEqual(value)
  })

  test('behavior: equals @x402/extensions, and each reads what the other wrote', () => {
    fc.assert(
      fc.property(codes, (value) => {
        const suffix = encodeBuilderCodeSuffix(value)
        expect(suffix).toBe(encodeReference(value))
        expect(parseBuilderCodeSuffix(concatHex([CALL, suffix]))).toEqual(value)
        expect(parseBuilderCodeSuffixFromCalldata(concatHex([CALL, suffix]))).toEqual(value)
      }),
    )
  })

  test('behavior: supports the longest map, of eleven services with 32 letters each', () => {
    const of = (first: string) => `${first}${'x'.repeat(31)}`
    const value = { a: of('a'), w: of('w'), s: Array.from('abcdefghijk', of) }
    const suffix = encodeBuilderCodeSuffix(value)
    expect(suffix.slice(-38, -34)).toBe('01c2')
    expect(parseBuilderCodeSuffix(concatHex([CALL, suffix]))).toEqual(value)
  })

  test.each([23, 24, 32])('behavior: a code of %i letters is encoded as the package encodes it', (letters) => {
    const value = { s: ['x'.repeat(letters)] }
    expect(encodeBuilderCodeSuffix(value)).toBe(encodeReference(value))
    expect(parseBuilderCodeSuffix(encodeReference(value))).toEqual(value)
  })

  test('behavior: a suffix can be the whole calldata, and in capitals', () => {
    const suffix = encodeBuilderCodeSuffix({ s: ['svc'] })
    expect(parseBuilderCodeSuffix(suffix)).toEqual({ s: ['svc'] })
    expect(parseBuilderCodeSuffix(`0x${suffix.slice(2).toUpperCase()}`)).toEqual({ s: ['svc'] })
  })

  test('behavior: an empty set of codes is an empty map', () => {
    expect(encodeBuilderCodeSuffix({})).toBe(`0xa0000102${ERC_8021_MARKER}`)
    expect(encodeBuilderCodeSuffix({ s: [] })).toBe(encodeBuilderCodeSuffix({}))
    expect(parseBuilderCodeSuffix(suffixed('a0'))).toEqual({})
  })

  test('behavior: never throws, whatever the calldata, with or without the marker', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isMarked) => {
        const calldata: Hex = isMarked ? suffixed(bytesToHex(bytes).slice(2)) : bytesToHex(bytes)
        const parsed = parseBuilderCodeSuffix(calldata)
        expect(parsed === undefined || typeof parsed === 'object').toBe(true)
      }),
    )
  })

  test.each<[string, Hex]>([
    ['no suffix', CALL],
    ['no calldata', '0x'],
    ['another schema', `${suffixed('a0').slice(0, -34)}01${ERC_8021_MARKER}` as Hex],
    ['a length beyond the calldata', `0x00ffff02${ERC_8021_MARKER}`],
    ['bytes left over', suffixed('a000')],
    ['half a byte before it', `0x0${suffixed('a0').slice(2)}`],
    ['a length beyond the calldata, of which the end is a map', `0xa0001602${ERC_8021_MARKER}`],
    ['a length that is no number', `0xa0zzzz02${ERC_8021_MARKER}`],
    ['a marker alone', `0x02${ERC_8021_MARKER}`],
    ['a length alone', `0x000002${ERC_8021_MARKER}`],
    ['a map that begins before the calldata', `0xa0000202${ERC_8021_MARKER}`],
    ['bytes that are no hex', suffixed('a16161617g')],
    ['bytes that begin with no hex', suffixed('g161616178')],
    ['a list instead of a map', suffixed('8161616178')],
    ['a text instead of a map', suffixed('60')],
    ['a list as a key', suffixed('a1816161 6178'.replace(' ', ''))],
    ['a list of lists', suffixed('a161738161738161 78'.replace(' ', ''))],
    ['a list cut short', suffixed('a161738261 78'.replace(' ', ''))],
    ['a list with a number', suffixed('a1617382617801')],
    ['a count in two bytes', suffixed('a161616179000178')],
    ['a count in two bytes of which one is there', suffixed('a16161790178')],
    ['a map cut short', suffixed('a2617363737663')],
    ['a text beyond the map', suffixed('a161611863')],
    ['a key twice', suffixed('a261616178616161 79'.replaceAll(' ', ''))],
    ['an unknown key', suffixed('a1617a6178')],
    ['a code in capitals', suffixed('a161616158')],
    ['a number', suffixed('a1616101')],
    ['a nested map', suffixed('a16161a0')],
    ['four entries', suffixed('a461616178616261786163617861646178')],
    ['twelve services', suffixed(`a161738c${'6178'.repeat(12)}`)],
    ['a text that is no UTF-8', suffixed('a1616161ff')],
  ])('error: %s is not a suffix', (_, calldata) => {
    expect(parseBuilderCodeSuffix(calldata)).toBeUndefined()
  })

  test('error: throws for codes that break the rules', () => {
    expect(() => encodeBuilderCodeSuffix({ s: ['UPPER'] })).toThrow(RangeError)
  })
})

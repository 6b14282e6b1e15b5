import type { Address } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import {
  burnSource,
  filterOf,
  identitySources,
  logTest,
  partsOf,
  splitterSource,
  stakeSource,
  supplySource,
  tokenSource,
} from './log-source.ts'

const ONE: Address = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const OTHER: Address = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
/** The hash of `agentWallet`. */
const KEY = '0x2ac6109326e720d1435c0db66f7e35eda7839f52b6f1f5520a60788e132b4e39'
const log = (address: string, ...topics: readonly string[]) => ({ address, topics }) as unknown as RawLog

test('each source asks for the events of its contract', () => {
  expect(tokenSource(ONE)).toEqual({ emitter: ONE, topics: [TRANSFER, AUTHORIZATION_USED] })
  expect(supplySource(ONE)).toEqual({ emitter: ONE, topics: [TRANSFER] })
  expect(stakeSource(ONE)).toEqual({
    emitter: ONE,
    topics: [
      '0x1449c6dd7851abc30abf37f57715f492010519147cc2652fbc38202c18a6ee90',
      '0x7fc4727e062e336010f2c282598ef5f14facb3de68cf8195c2f23e1454b2b74e',
    ],
  })
  expect(burnSource(ONE)).toEqual({
    emitter: ONE,
    topics: ['0x23ff0e75edf108e3d0392d92e13e8c8a868ef19001bd49f9e94876dc46dff87f'],
  })
  expect(splitterSource(ONE)).toEqual({
    emitter: ONE,
    topics: ['0x22142b283581f0b2a487f7a23e0422d292eb5783629173717aa106744ad70d60'],
  })
})

test('the agent registries are two sources: identities, and feedback about them', () => {
  expect(identitySources({ identity: ONE, reputation: OTHER })).toEqual([
    {
      emitter: ONE,
      topics: [
        '0xca52e62c367d81bb2e328eb795f7c7ba24afb478408a26c0e201d155c449bc4a',
        TRANSFER,
        '0x3a2c7fffc2cba7582c690e3b82c453ea02a308326a98a3ad7576c606336409fb',
        '0x2c149ed548c6d2993cd73efe187df6eccabe4538091b33adbd25fafdb8a1468b',
      ],
    },
    {
      emitter: OTHER,
      topics: [
        '0x6a4a61743519c9d648a14e6493f47dbe3ff1aa29e7785c96c8326a205e58febc',
        '0x25156fd3288212246d8b008d5921fde376c71ed14ac2e072a506eb06fde6d09d',
        '0xb1c6be0b5b8aef6539e2fac0fd131a2faa7b49edf8e505b5eb0ad487d56051d4',
      ],
    },
  ])
})

test('filterOf: all emitters, and each topic once', () => {
  expect(filterOf([tokenSource(ONE), supplySource(OTHER)])).toEqual({
    address: [ONE, OTHER],
    topics: [[TRANSFER, AUTHORIZATION_USED]],
  })
})

describe('logTest', () => {
  const isRead = logTest([tokenSource(ONE), supplySource(OTHER)])

  test('default: accepts an emitter, in the lower case that nodes use, with a topic of its own', () => {
    expect(isRead(log(ONE.toLowerCase(), AUTHORIZATION_USED))).toBe(true)
    expect(isRead(log(OTHER.toLowerCase(), TRANSFER, AUTHORIZATION_USED))).toBe(true)
  })

  test('behavior: rejects another emitter, another source’s topic, and a log without one', () => {
    expect(isRead(log('0x70997970c51812dc3a010c7d01b50e0d17dc79c8', TRANSFER))).toBe(false)
    expect(isRead(log(OTHER.toLowerCase(), AUTHORIZATION_USED))).toBe(false)
    expect(isRead(log(ONE.toLowerCase()))).toBe(false)
  })
})

describe('partsOf', () => {
  const parts = partsOf([tokenSource(ONE), ...identitySources({ identity: ONE, reputation: OTHER })])

  test('asks for each kind of log of each contract alone, and for no metadata but the wallet', () => {
    const alone = ({ emitter, topics }: ReturnType<typeof tokenSource>) => topics.map((topic) => [emitter, topic])
    const asked = parts.map(({ filter: { address, topics } }) => [address, topics[0]?.[0]])
    expect(asked).toEqual([tokenSource(ONE), ...identitySources({ identity: ONE, reputation: OTHER })].flatMap(alone))
    expect(parts.filter(({ filter: { topics } }) => topics.length > 1).map(({ filter }) => filter.topics)).toEqual([
      [['0x2c149ed548c6d2993cd73efe187df6eccabe4538091b33adbd25fafdb8a1468b'], null, [KEY]],
    ])
  })

  test('claims are the four kinds with texts of any length; payments, owners and wallets are none', () => {
    expect(parts.filter(({ isClaim }) => isClaim)).toHaveLength(4)
    expect(parts.slice(0, 2).some(({ isClaim }) => isClaim)).toBe(false)
  })
})

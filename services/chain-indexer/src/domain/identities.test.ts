import { identityRegistryAbi, reputationRegistryAbi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { type Abi, type AbiEvent, encodeAbiParameters, encodeEventTopics, getAbiItem, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import { identitiesIn } from './identities.ts'
import { KNOWN_REGISTRIES } from './registries.ts'

const REGISTRIES = {
  identity: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  reputation: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
} as const
const OWNER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CLIENT: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A log as viem encodes it from the ABI. */
function logOf(abi: Abi, eventName: string, args: Record<string, unknown>, more: Partial<RawLog> = {}): RawLog {
  const { inputs } = getAbiItem({ abi, name: eventName }) as AbiEvent
  const told = inputs.filter(({ indexed }) => !indexed)
  const address = abi === identityRegistryAbi ? REGISTRIES.identity : REGISTRIES.reputation
  return {
    address: address.toLowerCase(),
    topics: encodeEventTopics({ abi, eventName, args } as never) as string[],
    data: encodeAbiParameters(
      told,
      told.map(({ name }) => args[name ?? '']),
    ),
    ...{ blockNumber: 7, blockHash: hash(700), txHash: hash(1), logIndex: 1, blockTimestamp: 1_800_000_000 },
    ...more,
  }
}

const identity = (name: string, args: Record<string, unknown>, more?: Partial<RawLog>) =>
  logOf(identityRegistryAbi, name, args, more)
const metadata = (metadataKey: string, metadataValue: Hex) =>
  identity('MetadataSet', { agentId: 22n, indexedMetadataKey: metadataKey, metadataKey, metadataValue })
const feedback = (more: Record<string, unknown> = {}, at: Partial<RawLog> = {}) =>
  logOf(
    reputationRegistryAbi,
    'NewFeedback',
    {
      ...{ agentId: 22n, clientAddress: CLIENT, feedbackIndex: 1n, value: -9977n, valueDecimals: 2 },
      ...{ indexedTag1: 'uptime', tag1: 'uptime', tag2: '30days', endpoint: '', feedbackURI: 'ipfs://x' },
      ...{ feedbackHash: hash(0), ...more },
    },
    at,
  )
const changes = (...logs: readonly RawLog[]) => identitiesIn(logs, REGISTRIES).map(({ change }) => change)
const AGENT = { registry: REGISTRIES.identity, agentId: '22' }

describe('identitiesIn', () => {
  test('default: reads what the identity registry says about an agent', () => {
    const agentURI = 'https://example.com/agent.json'
    expect(
      changes(
        identity('Transfer', { from: hash(0).slice(0, 42), to: OWNER, tokenId: 22n }, { logIndex: 1 }),
        identity('Registered', { agentId: 22n, agentURI, owner: OWNER }, { logIndex: 2 }),
        identity('URIUpdated', { agentId: 22n, newURI: '', updatedBy: OWNER }, { logIndex: 3 }),
      ),
    ).toEqual([
      { ...AGENT, change: 'transferred', owner: OWNER },
      { ...AGENT, change: 'registered', owner: OWNER, uri: { text: agentURI, cut: false } },
      { ...AGENT, change: 'uri_set', uri: { text: '', cut: false } },
    ])
  })

  test.each([
    ['20 bytes are the wallet', CLIENT.toLowerCase() as Hex, [{ ...AGENT, change: 'wallet_set', wallet: CLIENT }]],
    ['no bytes are none', '0x', [{ ...AGENT, change: 'wallet_set', wallet: null }]],
    ['the zero address is none', `0x${'00'.repeat(20)}`, [{ ...AGENT, change: 'wallet_set', wallet: null }]],
    ['anything else says nothing', '0x1234', []],
  ] as const)('behavior: in agentWallet, %s', (_what, value, expected) => {
    expect(changes(metadata('agentWallet', value))).toEqual(expected)
  })

  test('behavior: other metadata is ignored', () => {
    for (const value of [stringToHex('me'), CLIENT, '0x'] as const)
      expect(changes(metadata('agentName', value))).toEqual([])
  })

  test('default: reads feedback, its revocation and its response', () => {
    const of = { ...AGENT, client: CLIENT, index: '1' }
    const revoked = { agentId: 22n, clientAddress: CLIENT, feedbackIndex: 1n }
    const response = { ...revoked, responder: OWNER, responseURI: 'ipfs://y', responseHash: hash(1) }
    expect(
      changes(
        feedback(),
        logOf(reputationRegistryAbi, 'FeedbackRevoked', revoked, { logIndex: 2 }),
        logOf(reputationRegistryAbi, 'ResponseAppended', response, { logIndex: 3 }),
      ),
    ).toEqual([
      {
        ...{ ...of, change: 'feedback_given', value: '-9977', decimals: 2, tag1: 'uptime', tag2: '30days' },
        uri: { text: 'ipfs://x', cut: false },
      },
      { ...of, change: 'feedback_revoked' },
      { ...of, change: 'feedback_answered', responder: OWNER },
    ])
  })

  test('behavior: texts are truncated, and lose characters that are not shown', () => {
    const [change] = changes(feedback({ tag1: `a\u0000b\u202e${'c'.repeat(100)}`, feedbackURI: 'x'.repeat(3_000) }))
    expect(change).toMatchObject({ tag1: `ab${'c'.repeat(60)}`, uri: { text: 'x'.repeat(2_048), cut: true } })
  })

  test.each([
    ['another emitter', { address: OWNER.toLowerCase() }],
    ['no data', { data: '0x' }],
    ['cut data', { data: feedback().data.slice(0, 200) }],
    ['a topic too few', { topics: feedback().topics.slice(0, 2) }],
    ['an unknown topic', { topics: [hash(5)] }],
  ])('error: a log with %s is ignored', (_what, more) => {
    expect(changes(feedback({}, more))).toEqual([])
  })

  test('behavior: an event of one registry is ignored when the other registry emits it', () => {
    expect(changes(feedback({}, { address: REGISTRIES.identity.toLowerCase() }))).toEqual([])
  })
})

test('behavior: the facts of both registries are in chain order, each with its place and emitter', () => {
  const at = (blockNumber: number, logIndex: number) => ({ blockNumber, logIndex })
  const uri = (more: Partial<RawLog>) => identity('URIUpdated', { agentId: 22n, newURI: '', updatedBy: OWNER }, more)
  const logs = [uri(at(8, 1)), uri(at(7, 9)), feedback({}, at(8, 0)), feedback({}, at(7, 10)), feedback({}, at(7, 2))]
  const facts = identitiesIn(logs, REGISTRIES)
  expect(facts.map(({ place, emitter }) => [place.blockNumber, place.logIndex, emitter])).toEqual([
    [7, 2, REGISTRIES.reputation],
    [7, 9, REGISTRIES.identity],
    [7, 10, REGISTRIES.reputation],
    [8, 0, REGISTRIES.reputation],
    [8, 1, REGISTRIES.identity],
  ])
  expect(facts[0]?.place).toEqual({
    ...{ ...at(7, 2), blockHash: hash(700), txHash: hash(1), blockTimestamp: 1_800_000_000 },
  })
})

test('behavior: a text of the maximum length is kept whole', () => {
  const longest = { tag1: 'a'.repeat(64), tag2: 'b'.repeat(65), feedbackURI: 'x'.repeat(2_048) }
  expect(changes(feedback(longest))).toMatchObject([
    { tag1: 'a'.repeat(64), tag2: 'b'.repeat(64), uri: { text: 'x'.repeat(2_048), cut: false } },
  ])
})

test('behavior: a text is truncated before hidden characters are removed, and again if its normal form is longer', () => {
  const hidden = { feedbackURI: `${'\u200b'.repeat(2_048)}x` }
  expect(changes(feedback(hidden))).toMatchObject([{ uri: { text: '', cut: true } }])
  const [one, two] = ['\u0958', '\u0915\u093c']
  const longer = { tag1: one.repeat(64), tag2: '', feedbackURI: one.repeat(2_048) }
  expect(changes(feedback(longer))).toMatchObject([
    { tag1: two.repeat(32), tag2: '', uri: { text: two.repeat(1_024), cut: false } },
  ])
})

test('behavior: no cut leaves half of a character, neither of the text nor of its normal form', () => {
  const stem = 'a\u{1d15e}'
  const halved = { tag1: stem.padEnd(64, '\u{1d15e}'), tag2: 'b'.padEnd(65, '😀'), feedbackURI: stem.repeat(1_000) }
  const [change] = changes(feedback(halved))
  expect(change).toMatchObject({ tag1: expect.stringMatching(/^a/), tag2: expect.stringMatching(/^b/) })
  expect(JSON.stringify(change)).not.toMatch(/\\ud[89a-f]/i)
})

test('behavior: an agentWallet of 21 bytes is ignored', () => {
  expect(changes(metadata('agentWallet', `${CLIENT.toLowerCase() as Hex}00`))).toEqual([])
})

test('the known registries: Base and the testnets, none on Arc', () => {
  expect(KNOWN_REGISTRIES['eip155:8453']).toEqual(REGISTRIES)
  expect(Object.keys(KNOWN_REGISTRIES)).toEqual(['eip155:8453', 'eip155:84532', 'eip155:5042002'])
})

import { V1_NETWORKS } from '@callboard/x402'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { decodePayment, readStatement } from './payment.ts'

const usdc = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
} as const
const payer = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 1 })
/** The published test vector: payer, terms, digest and signature. */
const authorization = {
  from: payer.address,
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: '10000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
}
const signature =
  '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f718e23b47c1b1595ce8b9ac762c08089ec20c7117e18d9f2ba8e0947c546e8aed1b'
const highS =
  '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f7e71dc4b83e4ea6a317465389d3f7f75ff8a26bcecdaa00101732ca087bc7b6541c'
const accepted = {
  scheme: 'exact',
  network: usdc.network,
  amount: '10000',
  asset: usdc.asset,
  payTo: authorization.to,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const NOW = 1_899_999_900

async function decode(
  change: { accepted?: object; authorization?: object; signature?: string; payload?: object; now?: number } = {},
) {
  const statement = readStatement(
    {
      x402Version: 2,
      accepted: { ...accepted, ...change.accepted },
      payload: change.payload ?? {
        signature: change.signature ?? signature,
        authorization: { ...authorization, ...change.authorization },
      },
    },
    V1_NETWORKS,
  )
  if (!statement) throw new Error('not a payment')
  return decodePayment(statement, { tokens: [usdc], now: change.now ?? NOW })
}
const codes = async (change: Parameters<typeof decode>[0]) => (await decode(change)).findings.map(({ code }) => code)

describe('decodePayment', () => {
  test('default: decodes the published vector, with its digest and signer', async () => {
    expect(await decode()).toEqual({
      x402Version: 2,
      scheme: 'exact',
      network: 'eip155:8453',
      asset: usdc.asset,
      authorization,
      digest: '0x66519925064584981506810fe4d09fb67adcbebe0de043896f5e5e63e8960b8b',
      recoveredSigner: payer.address,
      secondsLeft: 100,
      extensions: null,
      findings: [],
    })
  })

  test('behavior: version 1 names its network by word and repeats no terms', async () => {
    const payment = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature, authorization } }
    const statement = readStatement(payment, V1_NETWORKS)
    if (!statement) throw new Error('not a payment')
    expect(await decodePayment(statement, { tokens: [usdc], now: NOW })).toMatchObject({
      x402Version: 1,
      network: 'eip155:8453',
      asset: usdc.asset,
      recoveredSigner: payer.address,
      findings: [],
    })
  })

  test.each<[string[], string, Parameters<typeof decode>[0]]>([
    [['high_s'], 'the malleated signature', { signature: highS }],
    [['v_not_27_or_28'], 'v is 0', { signature: `${signature.slice(0, 130)}00` }],
    [['not_65_bytes'], 'a contract wallet’s signature', { signature: `${signature}00` }],
    [['erc6492'], 'a wallet that is not deployed', { signature: `${signature}${'6492'.repeat(16)}` }],
    [['signer_mismatch'], 'another nonce was signed', { authorization: { nonce: `0x${'00'.repeat(32)}` } }],
    [['expired'], 'the window is over', { now: 1_900_000_000 }],
    [['expires_soon'], 'the window is nearly over', { now: 1_899_999_996 }],
    [['valid_for_long'], 'the window is open for long', { now: 1_890_000_000 }],
    [['unknown_token'], 'a token of any name', { accepted: { asset: authorization.to } }],
    [
      ['look_alike_domain'],
      'the batched ledger of Circle',
      { accepted: { extra: { name: 'GatewayWalletBatched', version: '1' } } },
    ],
    [
      ['look_alike_domain'],
      'another verifying contract',
      { accepted: { extra: { name: 'USD Coin', version: '2', verifyingContract: authorization.to } } },
    ],
    [['recipient_differs'], 'another payee was accepted', { accepted: { payTo: payer.address } }],
    [['amount_differs'], 'another amount was accepted', { accepted: { amount: '10001' } }],
    [['unpayable_scheme'], 'another scheme', { accepted: { scheme: 'upto' } }],
    [['unknown_network'], 'another chain', { accepted: { network: 'eip155:1' } }],
    [['permit2', 'no_authorization'], 'a Permit2 transfer', { payload: { permit2Authorization: {}, signature } }],
    [['no_authorization'], 'anything else', { payload: {} }],
    [['not_yet_valid', 'signer_mismatch'], 'the window is not open', { authorization: { validAfter: '1899999950' } }],
    [
      ['never_valid', 'not_yet_valid', 'expired', 'signer_mismatch'],
      'the window is empty',
      { authorization: { validAfter: '1899999950', validBefore: '1899999000' } },
    ],
  ])('behavior: %j for %s', async (expected, _what, change) => expect(await codes(change)).toEqual(expected))

  test('behavior: the token is found in any letter case, and shown as it was sent', async () => {
    const lower = usdc.asset.toLowerCase()
    const decoded = await decode({ accepted: { asset: lower } })
    expect(decoded).toMatchObject({ asset: lower, recoveredSigner: payer.address, findings: [] })
  })

  test('behavior: no signer is recovered from a malformed signature', async () => {
    const digest = '0x66519925064584981506810fe4d09fb67adcbebe0de043896f5e5e63e8960b8b'
    expect(await decode({ signature: highS })).toMatchObject({ digest, recoveredSigner: null })
  })

  test('behavior: reports nothing about a signature where the token is unknown', async () => {
    const decoded = await decode({ accepted: { asset: authorization.to } })
    expect(decoded).toMatchObject({ asset: authorization.to, digest: null, recoveredSigner: null, authorization })
  })

  test('behavior: reports nothing about an authorization where there is none', async () => {
    expect(await decode({ payload: {} })).toMatchObject({
      asset: usdc.asset,
      authorization: null,
      digest: null,
      recoveredSigner: null,
      secondsLeft: null,
    })
  })

  test('behavior: a version 1 payment of an unknown network has no asset', async () => {
    const payment = { x402Version: 1, scheme: 'upto', network: 'nowhere', payload: { signature, authorization } }
    const statement = readStatement(payment, V1_NETWORKS)
    if (!statement) throw new Error('not a payment')
    expect(await decodePayment(statement, { tokens: [usdc], now: NOW })).toMatchObject({
      x402Version: 1,
      scheme: 'upto',
      network: 'nowhere',
      asset: null,
      digest: null,
      extensions: null,
      findings: [{ code: 'unpayable_scheme' }, { code: 'unknown_network' }],
    })
  })

  test('behavior: a token on a chain that is not an EVM has no digest', async () => {
    const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const statement = readStatement(
      { x402Version: 2, accepted: { ...accepted, network: solana }, payload: { signature, authorization } },
      V1_NETWORKS,
    )
    if (!statement) throw new Error('not a payment')
    const decoded = await decodePayment(statement, { tokens: [{ ...usdc, network: solana }], now: NOW })
    expect(decoded).toMatchObject({ network: solana, digest: null, recoveredSigner: null, findings: [] })
  })

  test('behavior: returns the extensions of a payment', async () => {
    const extensions = { 'payment-identifier': { info: { id: 'x'.repeat(16) } } }
    const payment = { x402Version: 2, accepted, payload: { signature, authorization }, extensions }
    expect(readStatement(payment, V1_NETWORKS)).toMatchObject({ x402Version: 2, extensions })
  })

  test('behavior: a window that is over has negative seconds left', async () => {
    expect((await decode({ now: 1_900_000_007 })).secondsLeft).toBe(-7)
  })

  test('behavior: a window without end has a number of seconds that JSON can carry', async () => {
    const { secondsLeft } = await decode({ authorization: { validBefore: (2n ** 256n - 1n).toString() } })
    expect(secondsLeft).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('readStatement', () => {
  test.each([
    ['nothing', undefined],
    ['a text', 'x'],
    ['another version', { x402Version: 3 }],
    ['no accepted entry', { x402Version: 2, payload: {} }],
    ['no payload', { x402Version: 2, accepted }],
    ['version 1 without network', { x402Version: 1, scheme: 'exact', payload: {} }],
    ['version 1 in the shape of version 2', { x402Version: 1, accepted, payload: {} }],
  ])('behavior: undefined for %s', (_what, payment) => expect(readStatement(payment, V1_NETWORKS)).toBeUndefined())
})

import { V1_NETWORKS } from '@callboard/x402'
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { expect, test } from 'vitest'
import { DECODE_BAZAAR, DECODE_EXAMPLE } from './bazaar.ts'
import { decodePayment, readStatement } from './payment.ts'

test('the example output is what the decoder returns for the example input', async () => {
  const { accepted } = DECODE_EXAMPLE.input.payload
  const statement = readStatement(DECODE_EXAMPLE.input.payload, V1_NETWORKS)
  if (!statement) throw new Error('the example is no payment')
  const token = { network: 'eip155:8453', asset: accepted.asset, ...accepted.extra } as const
  const now = Number(DECODE_EXAMPLE.output.authorization.validBefore) - DECODE_EXAMPLE.output.secondsLeft
  expect(await decodePayment(statement, { tokens: [token as never], now })).toEqual(DECODE_EXAMPLE.output)
})

test('the extension is valid, and its example matches its own schema', () => {
  const extension = DECODE_BAZAAR
  expect(validateDiscoveryExtension(extension as never)).toEqual({ valid: true })
  expect(validateDiscoveryExtensionSpec({ ...extension })).toMatchObject({ valid: true })
})

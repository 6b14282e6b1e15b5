import type * as x402Facilitator from '../operations/x402-facilitator.ts'
import type { ExamplesOf } from './examples.ts'
import { AGENT, BASE_URL, ENDPOINT, JUST_NOW, NETWORK, NONCE, SIGNATURE, SPLITTER, TX_HASH, USDC } from './words.ts'

const authorization = {
  from: AGENT,
  to: SPLITTER,
  value: '20000',
  validAfter: '1795339700',
  validBefore: '1795340100',
  nonce: NONCE,
}

const paymentRequirements = {
  scheme: 'exact',
  network: NETWORK,
  amount: '20000',
  asset: USDC,
  payTo: SPLITTER,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}

const paymentPayload = {
  x402Version: 2,
  resource: { url: ENDPOINT },
  accepted: paymentRequirements,
  payload: { signature: SIGNATURE, authorization },
}

const request = { x402Version: 2, paymentPayload, paymentRequirements } as const
const settled = {
  success: true,
  payer: AGENT,
  transaction: TX_HASH,
  network: NETWORK,
  amount: '20000',
  extra: { confirmation: { policy: 'included', reached: 'included' } },
}

const resource = {
  resource: ENDPOINT,
  type: 'http',
  x402Version: 2,
  accepts: [paymentRequirements],
  lastUpdated: JUST_NOW,
  description: 'The forecast of the next seven days for any city.',
  mimeType: 'application/json',
} satisfies ExamplesOf<typeof x402Facilitator>['discoveryResources']['output']['items'][number]

export const examples: ExamplesOf<typeof x402Facilitator> = {
  supported: {
    input: {},
    output: {
      kinds: [
        {
          x402Version: 2,
          scheme: 'exact',
          network: NETWORK,
          extra: { confirmation: { default: 'included', allowed: ['included', 'safe', 'finalized'] } },
        },
      ],
      extensions: ['payment-identifier', 'builder-code', 'bazaar'],
      signers: { 'eip155:*': [SPLITTER] },
    },
  },
  verify: { input: request, output: { isValid: true, payer: AGENT } },
  settle: { input: request, output: settled },
  discoveryResources: {
    input: { type: 'http', network: NETWORK, limit: 20, offset: 0 },
    output: { x402Version: 2, items: [resource], pagination: { limit: 20, offset: 0, total: 1 } },
  },
  discoverySearch: {
    input: { query: 'weather', limit: 20 },
    output: {
      x402Version: 2,
      resources: [resource],
      partialResults: false,
      pagination: { limit: 20, cursor: null },
    },
  },
  health: { input: {}, output: { status: 'ok', networks: [{ network: NETWORK, canSettle: true }] } },
  decode: {
    input: { payload: paymentPayload },
    output: {
      result: {
        x402Version: 2,
        scheme: 'exact',
        network: NETWORK,
        asset: USDC,
        authorization,
        digest: NONCE,
        recoveredSigner: AGENT,
        secondsLeft: 240,
        extensions: null,
        findings: [{ code: 'signature_valid', message: 'The payer signed this authorization.' }],
      },
      settlement: settled,
    },
  },
  status: {
    input: { network: NETWORK, asset: USDC, from: AGENT, nonce: NONCE },
    output: { state: 'settled', settlement: settled },
  },
  openapi: {
    input: {},
    output: { openapi: '3.1.0', info: { title: 'Callboard', version: '1' }, paths: {} },
  },
  wellKnown: { input: {}, output: { version: 1, resources: [`${BASE_URL}/x402/decode`] } },
}

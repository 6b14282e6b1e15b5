import type * as router from '../operations/router/index.ts'
import type { ExamplesOf } from './examples.ts'
import { AGENT, BASE_URL, EARLIER, JUST_NOW, NETWORK, OWNER, TX_HASH } from './words.ts'

const key = { id: 'key_2b81', label: 'research notes', source: 'balance' } as const
const MIDNIGHT = '2026-11-23T00:00:00Z'
const MODEL = 'sample-small'
const question = [{ role: 'user', content: 'What does a listing need before it is found?' }]
const answer = 'A name, a description, and an endpoint whose 402 can be paid.'
const model = { id: MODEL, object: 'model', created: 1_795_339_800, owned_by: 'sample' } as const

const completion = {
  id: 'chatcmpl-91c2',
  object: 'chat.completion',
  created: 1_795_339_800,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 17, completion_tokens: 14, total_tokens: 31 },
} as const
const response = {
  id: 'resp_5b07',
  object: 'response',
  created_at: 1_795_339_800,
  status: 'completed',
  model: MODEL,
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer, annotations: [] }] }],
  usage: { input_tokens: 17, output_tokens: 14, total_tokens: 31 },
} as const
const embeddings = {
  object: 'list',
  model: 'sample-embedding',
  data: [{ object: 'embedding', index: 0, embedding: [0.12, -0.08] }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
} as const
const message = {
  id: 'msg_77ad',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [{ type: 'text', text: answer }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 17, output_tokens: 14 },
} as const

const used = {
  ...{ calls: 12, inputTokens: 4_210, outputTokens: 1_377 },
  ...{ costUsd: '0.25', estimatedUsd: '0.01', estimatedShare: 0.04 },
}
const unused = {
  ...{ calls: 0, inputTokens: 0, outputTokens: 0 },
  ...{ costUsd: '0', estimatedUsd: '0', estimatedShare: 0 },
}
const receipt = {
  id: 'e7d1c2f4-8f0b-4c51-9c59-0c9a6b7e2d11',
  key: key.id,
  model: MODEL,
  upstream: 'sample',
  surface: 'chat',
  source: key.source,
  usage: { inputTokens: 17, outputTokens: 14, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  estimated: false,
  ending: 'completed',
  priceVersion: '2026-11-01',
  heldUsd: '0.0004',
  amountUsd: '0.0000295',
  currency: 'USD',
  createdAt: EARLIER,
  settledAt: JUST_NOW,
  seq: 1,
  previous: null,
} as const
const signed = {
  receipt,
  hash: '6f1ed002ab5595859014ebf0951522d9a3b1e0d9f0c1d9f3a2a7f1f8f3b1b7c2',
  jws: 'eyJhbGciOiJFZERTQSJ9.eyJpZCI6ImU3ZDFjMmY0In0.c2lnbmF0dXJl',
} as const
const receiptKey = {
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
}

export const examples: ExamplesOf<typeof router> = {
  onrampSession: {
    input: { wallet: AGENT, network: NETWORK, amountUsd: '20', country: 'US', subdivision: 'NY' },
    output: {
      ...{
        provider: 'coinbase',
        wallet: AGENT,
        network: NETWORK,
        amountUsd: '20',
        transaction: null,
        createdAt: JUST_NOW,
      },
      onrampUrl: 'https://pay.coinbase.com/buy/8fQz2mVh',
      quote: {
        total: { amount: '20.75', currency: 'USD' },
        receives: { amount: '20', currency: 'USDC' },
        fees: [{ type: 'FEE_TYPE_EXCHANGE', amount: '0.75', currency: 'USD' }],
      },
      message: 'Open onrampUrl once and pay there. The USDC arrives in the wallet when the provider has the money.',
    },
  },
  topUp: {
    input: { amount: '5' },
    output: {
      result: { status: 'accepted', usd: 5, owner: OWNER },
      settlement: { success: true, payer: OWNER, transaction: TX_HASH, network: NETWORK, amount: '5000000' },
    },
  },
  listKeys: {
    input: {},
    output: {
      keys: [{ ...key, prefix: 'cb_router_7Qx', dailyLimitUsd: '0.5', createdAt: EARLIER, lastUsedAt: JUST_NOW }],
    },
  },
  createKey: {
    input: { label: key.label, source: key.source, dailyLimitUsd: '0.5' },
    output: { ...key, dailyLimitUsd: '0.5', key: 'cb_router_7Qx2mV9k', baseUrl: `${BASE_URL}/v1`, createdAt: JUST_NOW },
  },
  deleteKey: { input: { id: key.id }, output: undefined },
  usage: {
    input: {},
    output: {
      epoch: 20_779,
      compute: {
        ...{ limitUsd: '2', spentUsd: '0.4', heldUsd: '0', remainingUsd: '1.6', resetsAt: MIDNIGHT },
        nextLimitUsd: '2.5',
      },
      stake: '2500000000000000000000',
      stakeDecimals: 18,
      balance: { purchasedUsd: '5', spentUsd: '0.25', remainingUsd: '4.75' },
      totals: { epoch: unused, compute: unused, balance: used },
      usage: [{ day: '2026-11-22', model: MODEL, keyId: key.id, source: key.source, ...used }],
    },
  },
  models: {
    input: {},
    output: {
      models: [
        {
          id: MODEL,
          ownedBy: 'sample',
          contextTokens: 32_768,
          maxOutputTokens: 4_096,
          capabilities: ['chat', 'responses', 'messages'],
          pricing: { version: '2026-11-01', prompt: '0.0000005', completion: '0.0000015' },
          cancelled: 'estimate',
        },
      ],
    },
  },
  listModels: { input: {}, output: { object: 'list', data: [model] } },
  getModel: { input: { model: MODEL }, output: model },
  keyStatus: {
    input: {},
    output: {
      label: key.label,
      source: key.source,
      limits: [
        { limit: 'balance', limitUsd: '5', spentUsd: '0.25', heldUsd: '0', remainingUsd: '4.75', resetsAt: null },
      ],
    },
  },
  createChatCompletion: { input: { model: MODEL, messages: question, max_tokens: 200 }, output: completion },
  createResponse: {
    input: { model: MODEL, input: 'What does a listing need?', max_output_tokens: 200 },
    output: response,
  },
  createEmbedding: { input: { model: 'sample-embedding', input: 'paid weather data' }, output: embeddings },
  countTokens: { input: { model: MODEL, messages: question }, output: { input_tokens: 17 } },
  createMessage: { input: { model: MODEL, messages: question, max_tokens: 200 }, output: message },
  receipt: { input: { id: receipt.id }, output: signed },
  receipts: { input: { after: 0 }, output: { object: 'list', data: [signed], has_more: false } },
  receiptsOfKey: { input: { id: key.id, after: 0 }, output: { receipts: [signed], hasMore: false } },
  receiptKeys: {
    input: {},
    output: { keys: [{ kty: 'OKP', crv: 'Ed25519', ...receiptKey, use: 'sig', alg: 'EdDSA' }] },
  },
}

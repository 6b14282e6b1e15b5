import type * as listings from '../operations/listings/index.ts'
import { STATEMENTS } from '../operations/oauth/index.ts'
import type { ExamplesOf } from './examples.ts'
import { postingExamples } from './postings.ts'
import {
  EARLIER,
  ENDPOINT,
  FACTORY,
  JUST_NOW,
  LATER,
  NETWORK,
  OWNER,
  PAYOUT_WALLET,
  SIGNATURE,
  SLUG,
  SPLITTER,
  signInMessage,
  USDC,
} from './words.ts'

type Listing = ExamplesOf<typeof listings>['publish']['output']['listing']

const message = signInMessage(PAYOUT_WALLET, STATEMENTS.publish)
const deploy = { to: FACTORY, data: '0x6bb0d55e', value: '0' } as const

const nothing = {
  calls: { total: 0, last7d: 0 },
  revenue: { amountUsd: '0', last7dUsd: '0' },
  transfers: { total: 0, amountUsd: '0' },
}

const draft = {
  slug: SLUG,
  name: 'Weather by city',
  description: 'The forecast of the next seven days for any city.',
  category: 'data',
  status: 'draft',
  suspendedReason: null,
  rejection: null,
  suspension: null,
  verification: 'none',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: 500, label: '5 %' },
  operations: [
    {
      name: 'Forecast',
      method: 'GET',
      url: ENDPOINT,
      description: 'By the name of a city.',
      metadataEvidence: 'bazaar',
      price: '0.02',
      payment: {
        scheme: 'exact',
        network: NETWORK,
        asset: USDC,
        payTo: SPLITTER,
        amount: '20000',
        checkedAt: JUST_NOW,
      },
    },
  ],
  payoutWallet: PAYOUT_WALLET,
  splitter: { network: NETWORK, address: SPLITTER, deployed: false, deploy },
  liveness: { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 },
  ...nothing,
  shared: nothing,
  createdAt: EARLIER,
  listedAt: null,
  updatedAt: JUST_NOW,
} satisfies Listing

const live: Listing = { ...draft, status: 'live', splitter: { ...draft.splitter, deployed: true }, listedAt: JUST_NOW }

const hidden = {
  code: 'hidden_until_verified',
  field: 'verification',
  message: 'The listing is live and can be paid. Search shows it with includeUnverified=true.',
} as const

const claimMessage = `${signInMessage(PAYOUT_WALLET, STATEMENTS.claim)}\nResources:\n- https://api.example\n- did:pkh:eip155:8453:${OWNER}`

export const examples: ExamplesOf<typeof listings> = {
  mine: { input: {}, output: { listings: [live], nextCursor: null } },
  payoutNonce: {
    input: { wallet: PAYOUT_WALLET },
    output: { nonce: '4f7K2mQ9xT1s', message, expiresAt: LATER },
  },
  visibility: {
    input: { slug: SLUG },
    output: {
      slug: SLUG,
      status: 'live',
      verification: 'none',
      results: [
        {
          result: 'discovery',
          shown: false,
          place: null,
          reasons: [
            {
              code: 'not_verified',
              message: 'It is not verified. This result shows only what the operator has reviewed.',
              mend: `Ask for a review: POST /api/call/listings/${SLUG}/status with {"action": "request_verification"}.`,
              deadline: null,
            },
          ],
        },
        { result: 'discovery?includeUnverified=true', shown: true, place: 14, reasons: [] },
      ],
    },
  },
  claimNonce: { input: { origin: 'https://api.example', wallet: PAYOUT_WALLET }, output: { message: claimMessage } },
  claim: {
    input: { origin: 'https://api.example', message: claimMessage, signature: SIGNATURE },
    output: { claimed: ['api-example-forecast'] },
  },
  splitters: {
    input: { wallet: PAYOUT_WALLET },
    output: {
      feeBp: 500,
      networkStates: [
        {
          network: NETWORK,
          name: 'Base',
          chainId: 8453,
          usdcAddress: USDC,
          factoryAddress: FACTORY,
          splitterAddress: SPLITTER,
          deployed: false,
          balanceWei: '0',
          balanceUsdc: '0',
          deploy,
        },
      ],
    },
  },
  probe: {
    input: { url: ENDPOINT, method: 'GET' },
    output: {
      kind: 'x402',
      x402Version: 2,
      accepts: [
        {
          scheme: 'exact',
          network: NETWORK,
          asset: USDC,
          amount: '20000',
          payTo: SPLITTER,
          maxTimeoutSeconds: 300,
          extra: { name: 'USD Coin', version: '2' },
          payable: true,
          notPayableReason: null,
        },
      ],
      endpoint: ENDPOINT,
      operations: [{ method: 'GET', url: ENDPOINT, name: 'Forecast', metadataEvidence: 'bazaar' }],
      conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header+body', issues: [] },
      unread: [],
      extensions: {},
      challenges: [],
      state: 'ok_402',
      finding: 'payable',
      message: 'The endpoint asks for payment with x402.',
      mend: 'Nothing to fix.',
      docs: 'https://callboard.example/docs/probes#payable',
      httpStatus: 402,
      offered: [
        {
          ...{ scheme: 'exact', network: NETWORK, asset: USDC, amount: '20000', payTo: SPLITTER },
          ...{ payable: true, message: null, mend: null },
        },
      ],
      wanted: [{ scheme: 'exact', network: NETWORK, asset: USDC }],
      issues: [],
    },
  },
  publish: {
    input: {
      name: draft.name,
      description: draft.description,
      category: draft.category,
      operations: [{ method: 'GET', url: ENDPOINT, name: 'Forecast', description: 'By the name of a city.' }],
      payoutWallet: PAYOUT_WALLET,
      network: NETWORK,
      message,
      signature: SIGNATURE,
    },
    output: { listing: draft, warnings: [] },
  },
  setStatus: {
    input: { slug: SLUG, action: 'activate' },
    output: { ok: true, slug: SLUG, status: 'live', verification: 'none', listing: live, warnings: [hidden] },
  },
  edit: {
    input: { slug: SLUG, description: 'The forecast of the next ten days for any city.' },
    output: {
      ok: true,
      slug: SLUG,
      name: draft.name,
      description: 'The forecast of the next ten days for any city.',
    },
  },
  replace: {
    input: {
      slug: SLUG,
      category: draft.category,
      operations: [{ method: 'GET', url: ENDPOINT, name: 'Forecast', description: 'By the name of a city.' }],
    },
    output: { listing: draft, warnings: [] },
  },
  ...postingExamples,
  withdraw: { input: { slug: SLUG }, output: {} },
  resync: { input: { slug: SLUG }, output: { ok: true, outcome: 'refreshed', checkedAt: JUST_NOW, problems: [] } },
}

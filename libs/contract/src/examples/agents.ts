import type * as agents from '../operations/agents/index.ts'
import { STATEMENTS } from '../operations/oauth/index.ts'
import { agentClientId } from '../schemas/agent.ts'
import type { ExamplesOf } from './examples.ts'
import {
  AGENT,
  BASE_URL,
  BYTES_32,
  EARLIER,
  JUST_NOW,
  LATER,
  NETWORK,
  NONCE,
  OWNER,
  SIGNATURE,
  signInMessage,
  TX_HASH,
} from './words.ts'

const clientId = agentClientId(AGENT)
const requester = { address: '203.0.113.7', userAgent: 'scout/1.4' }
const code = 'Nf3kQ8sVxT2mLp9RzB4wYc'
const sealed = { version: 1, enc: BYTES_32, ciphertext: 'c2VhbGVkIHRvIHRoZSBwdWJsaWMga2V5' } as const

const agent = {
  clientId,
  wallet: AGENT,
  label: 'scout',
  device: 'laptop',
  scopes: ['mcp:call', 'router.use'],
  linkedAt: EARLIER,
  lastUsedAt: JUST_NOW,
  endsAt: '2027-02-20T09:30:00Z',
  router: { allowanceUsd: '5', spentTodayUsd: '1.25' },
  approval: { by: 'owner', parent: null, seen: true },
  descendants: 0,
} satisfies ExamplesOf<typeof agents>['list']['output']['agents'][number]

const backup = {
  device: 'laptop',
  version: 1,
  recipient: BYTES_32,
  bytes: 24,
  sha256: BYTES_32,
  storedBy: clientId,
  storedAt: JUST_NOW,
} as const

const routerKey = { router_key: 'cbr_5Tr3Ew1Q', router_base_url: `${BASE_URL}/v1` }

export const examples: ExamplesOf<typeof agents> = {
  deviceAuthorization: {
    input: {
      agent_message: signInMessage(AGENT, STATEMENTS.link),
      agent_signature: SIGNATURE,
      label: 'scout',
      device: 'laptop',
      scope: 'mcp:call router.use',
      router_allowance_usd: 5,
    },
    output: {
      device_code: 'cbd_4Jk9Lm2N',
      user_code: 'WDJB-MJHT',
      verification_uri: `${BASE_URL}/link`,
      verification_uri_complete: `${BASE_URL}/link?user_code=WDJB-MJHT`,
      expires_in: 1200,
      interval: 5,
      client_id: clientId,
    },
  },
  list: { input: {}, output: { agents: [agent] } },
  edit: {
    input: { clientId, routerAllowanceUsd: 7.5 },
    output: { agent: { ...agent, router: { allowanceUsd: '7.5', spentTodayUsd: '1.25' } } },
  },
  unlink: { input: { clientId, descendants: 'end' }, output: {} },
  listDevices: {
    input: {},
    output: {
      devices: [
        {
          device: 'laptop',
          agents: 2,
          trust: { since: EARLIER, scopes: ['mcp:call'], allowanceUsd: '10', allowanceInUseUsd: '5' },
          automatic: 1,
        },
      ],
    },
  },
  distrustDevice: { input: { device: 'laptop', descendants: 'end' }, output: {} },
  acknowledge: { input: { clientIds: [clientId] }, output: {} },
  self: {
    input: {},
    output: { clientId, wallet: AGENT, owner: OWNER, label: 'scout', scopes: agent.scopes, linkedAt: EARLIER },
  },
  unlinkSelf: { input: {}, output: {} },
  siblings: {
    input: {},
    output: {
      siblings: [
        {
          clientId,
          wallet: AGENT,
          label: 'scout',
          device: 'laptop',
          status: 'active',
          allowanceUsd: '5',
          approvedBy: 'owner',
          parent: null,
          self: true,
        },
      ],
    },
  },
  selfRouter: {
    input: {},
    output: {
      compute: {
        allowanceUsd: '5',
        spentTodayUsd: '1.25',
        remainingTodayUsd: '3.75',
        resetsAt: '2026-11-23T00:00:00Z',
        ownerLimitUsd: '20',
        ownerSpentUsd: '4.5',
      },
      balance: { purchasedUsd: '25', spentUsd: '3.2', remainingUsd: '21.8' },
    },
  },
  selfStake: {
    input: {},
    output: {
      owner: OWNER,
      epoch: 20_779,
      stake: '1500000000000000000000',
      computeTodayUsd: '20',
      stakeUrl: `${BASE_URL}/account`,
    },
  },
  createRouterKey: { input: {}, output: routerKey },
  createBalanceKey: { input: {}, output: routerKey },
  listBackups: { input: {}, output: { backups: [backup] } },
  readBackup: { input: { device: 'laptop' }, output: { ...sealed, recipient: BYTES_32, etag: '"3"' } },
  deleteBackup: { input: { device: 'laptop' }, output: {} },
  storeBackup: { input: { ...sealed, recipient: BYTES_32 }, output: { backup, etag: '"3"' } },
  createRelay: {
    input: { publicKey: BYTES_32, code, device: 'laptop', purpose: 'restore' },
    output: { expiresAt: LATER },
  },
  openRelay: {
    input: { code },
    output: {
      publicKey: BYTES_32,
      claimed: { device: 'laptop', purpose: 'restore' },
      seen: { requester, createdAt: JUST_NOW },
      expiresAt: LATER,
      sealed: false,
    },
  },
  sealRelay: { input: { code, ...sealed }, output: {} },
  readRelay: { input: { code }, output: { status: 'sealed', result: sealed } },
  relayTransfer: {
    input: {
      network: NETWORK,
      signature: SIGNATURE,
      authorization: {
        from: AGENT,
        to: OWNER,
        value: '1500000',
        validAfter: '1795339700',
        validBefore: '1795340100',
        nonce: NONCE,
      },
    },
    output: { success: true, payer: AGENT, transaction: TX_HASH, network: NETWORK, amount: '1500000' },
  },
}

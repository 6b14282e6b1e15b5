import type * as oauth from '../operations/oauth/index.ts'
import { DEVICE_CODE_GRANT, STATEMENTS } from '../operations/oauth/index.ts'
import { agentClientId } from '../schemas/agent.ts'
import type { ExamplesOf } from './examples.ts'
import { AGENT, BASE_URL, EARLIER, JUST_NOW, LATER, OWNER, SIGNATURE, signInMessage } from './words.ts'

const key = { id: 'key_7f3a', label: 'nightly report', createdAt: EARLIER } as const
const requester = { address: '203.0.113.7', userAgent: 'Mozilla/5.0' }

const metadata = {
  redirect_uris: ['https://tools.example/callback'],
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_name: 'Tools',
} satisfies Partial<ExamplesOf<typeof oauth>['readClient']['output']>

const registered = {
  ...metadata,
  client_id: 'client_5d2c91',
  client_id_issued_at: 1_795_339_800,
  registration_access_token: 'cbr_2Qm8xV4n',
  registration_client_uri: `${BASE_URL}/oauth/register/client_5d2c91`,
} satisfies ExamplesOf<typeof oauth>['readClient']['output']

const grant = {
  id: 'grant_91b4',
  client: { id: 'client_5d2c91', registeredBy: 'dynamic_registration', registeredAt: EARLIER, documentHost: null },
  claimed: { name: 'Tools' },
  redirectHosts: ['tools.example'],
  scopes: ['mcp:call'],
  audiences: [BASE_URL],
  grantedAt: EARLIER,
  lastUsedAt: JUST_NOW,
  expiresAt: LATER,
  endsAt: '2027-02-20T09:30:00Z',
} satisfies ExamplesOf<typeof oauth>['listClientGrants']['output']['grants'][number]

export const examples: ExamplesOf<typeof oauth> = {
  siweNonce: {
    input: { purpose: 'login' },
    output: {
      nonce: '4f7K2mQ9xT1s',
      expiresAt: LATER,
      statement: STATEMENTS.login,
      domain: 'callboard.example',
      uri: BASE_URL,
    },
  },
  createSession: {
    input: { message: signInMessage(OWNER, STATEMENTS.login), signature: SIGNATURE },
    output: { owner: OWNER, expiresAt: LATER, sessionToken: 'cbs_8vK1pQ' },
  },
  getSession: { input: {}, output: { owner: OWNER, expiresAt: LATER } },
  deleteSession: { input: {}, output: {} },
  listSessions: {
    input: {},
    output: {
      sessions: [
        {
          id: 'session_3e7d',
          createdAt: EARLIER,
          lastSeenAt: JUST_NOW,
          expiresAt: LATER,
          openedFrom: requester,
          current: true,
        },
      ],
    },
  },
  endSession: { input: { id: 'session_3e7d' }, output: {} },
  endSessions: {
    input: { grants: true },
    output: { ended: { sessions: 2, programs: 1 }, stays: { programs: 0, agents: 1, apiKeys: 1 } },
  },
  listClientGrants: { input: {}, output: { grants: [grant] } },
  readClientGrant: {
    input: { id: grant.id },
    output: {
      grant: {
        ...grant,
        authorizations: [
          {
            scopes: ['mcp:call'],
            audience: BASE_URL,
            redirectHost: 'tools.example',
            grantedAt: EARLIER,
            lastUsedAt: JUST_NOW,
            expiresAt: LATER,
            endsAt: grant.endsAt,
          },
        ],
      },
    },
  },
  endClientGrant: { input: { id: grant.id }, output: {} },
  endClientGrants: { input: {}, output: {} },
  listKeys: { input: {}, output: { keys: [{ ...key, prefix: 'cbk_9fT2', lastUsedAt: JUST_NOW }] } },
  createKey: { input: { label: key.label }, output: { ...key, key: 'cbk_9fT2mQ4xV7nS1pK8' } },
  deleteKey: { input: { id: key.id }, output: {} },
  register: {
    input: metadata,
    output: { ...registered, client_secret: 'cbx_6Zp3Rw1t', client_secret_expires_at: 0 },
  },
  readClient: { input: { clientId: registered.client_id }, output: registered },
  updateClient: {
    input: { ...metadata, clientId: registered.client_id, client_id: registered.client_id },
    output: registered,
  },
  deleteClient: { input: { clientId: registered.client_id }, output: {} },
  token: {
    input: { grant_type: DEVICE_CODE_GRANT, device_code: 'cbd_4Jk9Lm2N', client_id: agentClientId(AGENT) },
    output: {
      access_token: 'cba_1Xc5Vb7N',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'cbf_8Hg6Fd4S',
      scope: 'mcp:call router.use',
      owner_wallet: OWNER,
      router_key: 'cbr_5Tr3Ew1Q',
      router_base_url: `${BASE_URL}/v1`,
    },
  },
  revoke: { input: { token: 'cbf_8Hg6Fd4S', token_type_hint: 'refresh_token' }, output: {} },
  consoleToken: {
    input: {},
    output: { access_token: 'cba_1Xc5Vb7N', token_type: 'Bearer', expires_in: 600, scope: 'call.publish' },
  },
}

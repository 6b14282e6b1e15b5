import { familyEnded, livenessProber, oauth as operations } from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { measuringChainCalls, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { sweep } from './jobs.ts'
import type { Callee, Parts } from './kit.ts'
import { approveGrant } from './operations/approve-grant.ts'
import { consoleToken } from './operations/console-token.ts'
import { createGrant } from './operations/create-grant.ts'
import { createKey } from './operations/create-key.ts'
import { createSession } from './operations/create-session.ts'
import { decideAuthorization } from './operations/decide-authorization.ts'
import { deleteClient } from './operations/delete-client.ts'
import { deleteKey } from './operations/delete-key.ts'
import { deleteSession } from './operations/delete-session.ts'
import { denyGrant } from './operations/deny-grant.ts'
import { endSession } from './operations/end-session.ts'
import { findGrant } from './operations/find-grant.ts'
import { getSession } from './operations/get-session.ts'
import { introspect } from './operations/introspect.ts'
import { lastUses } from './operations/last-uses.ts'
import { listKeys } from './operations/list-keys.ts'
import { listSessions } from './operations/list-sessions.ts'
import { readAuthorization } from './operations/read-authorization.ts'
import { readClient } from './operations/read-client.ts'
import { register } from './operations/register.ts'
import { revoke } from './operations/revoke.ts'
import { revokeLink } from './operations/revoke-link.ts'
import { siweNonce } from './operations/siwe-nonce.ts'
import { token } from './operations/token.ts'
import { updateClient } from './operations/update-client.ts'
import * as accounts from './store/migrations/0001-accounts.ts'
import * as grants from './store/migrations/0002-grants.ts'
import * as clients from './store/migrations/0003-clients.ts'
import * as documents from './store/migrations/0004-metadata-documents.ts'
import type { OauthTables } from './store/tables.ts'

/** Who is calling: nonces to sign, owners' sessions, API keys, clients, grants, tokens, and what a credential is worth. */
export const oauth = service<typeof Config, OauthTables, Parts, typeof operations, Callee>({
  name: 'oauth',
  config: Config,
  migrations: {
    '0001-accounts': accounts,
    '0002-grants': grants,
    '0003-clients': clients,
    '0004-metadata-documents': documents,
  },
  open: async ({ config, metrics }) => ({
    ...openChains(config, measuringChainCalls(metrics)),
    reading: new Map(),
  }),
  operations,
  serves: {
    ...{ siweNonce, createSession, getSession, deleteSession, listSessions, endSession, consoleToken },
    ...{ listKeys, createKey, deleteKey, introspect },
    ...{ createGrant, findGrant, approveGrant, denyGrant, revokeLink, lastUses, token, revoke },
    ...{ register, readClient, updateClient, deleteClient, readAuthorization, decideAuthorization },
  },
  calls: [livenessProber.readDocument],
  publishes: [familyEnded],
  jobs: [sweep],
})

import { familyEnded, oauth as operations } from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { service, watchingChains } from '@callboard/runtime'
import { afterRestore } from './after-restore.ts'
import { Config } from './config.ts'
import { calls, type Resources } from './context.ts'
import { endLapsedLinks, sweep } from './jobs.ts'
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
import { endClientGrant } from './operations/end-client-grant.ts'
import { endClientGrants } from './operations/end-client-grants.ts'
import { endSession } from './operations/end-session.ts'
import { endSessions } from './operations/end-sessions.ts'
import { findGrant } from './operations/find-grant.ts'
import { getSession } from './operations/get-session.ts'
import { introspect } from './operations/introspect.ts'
import { lastUses } from './operations/last-uses.ts'
import { listClientGrants } from './operations/list-client-grants.ts'
import { listKeys } from './operations/list-keys.ts'
import { listSessions } from './operations/list-sessions.ts'
import { readAuthorization } from './operations/read-authorization.ts'
import { readClient } from './operations/read-client.ts'
import { readClientGrant } from './operations/read-client-grant.ts'
import { register } from './operations/register.ts'
import { revoke } from './operations/revoke.ts'
import { revokeLink } from './operations/revoke-link.ts'
import { sessionState } from './operations/session-state.ts'
import { siweNonce } from './operations/siwe-nonce.ts'
import { token } from './operations/token.ts'
import { updateClient } from './operations/update-client.ts'
import { Credentials } from './store/credentials.ts'
import * as accounts from './store/migrations/0001-accounts.ts'
import * as grants from './store/migrations/0002-grants.ts'
import * as clients from './store/migrations/0003-clients.ts'
import * as documents from './store/migrations/0004-metadata-documents.ts'
import * as clientGrants from './store/migrations/0005-client-grants.ts'
import * as contractOwners from './store/migrations/0006-contract-owners.ts'
import * as hashedUserCodes from './store/migrations/0007-hashed-user-codes.ts'
import * as registrations from './store/migrations/0008-registrations.ts'
import * as endedGrants from './store/migrations/0009-ended-grants.ts'
import * as codesThatRefresh from './store/migrations/0010-codes-that-refresh.ts'
import * as decidedCodes from './store/migrations/0011-decided-codes.ts'
import * as lapsedLinks from './store/migrations/0012-lapsed-links.ts'
import type { OauthTables } from './store/tables.ts'
import { ShownEpochs } from './tokens/shown-epochs.ts'

/** Identifies callers: nonces to sign, owners' sessions, API keys, clients, grants, tokens, what credentials permit. */
export const oauth = service<typeof Config, OauthTables, Resources, typeof operations, typeof calls>({
  name: 'oauth',
  config: Config,
  migrations: {
    '0001-accounts': accounts,
    '0002-grants': grants,
    '0003-clients': clients,
    '0004-metadata-documents': documents,
    '0005-client-grants': clientGrants,
    '0006-contract-owners': contractOwners,
    '0007-hashed-user-codes': hashedUserCodes,
    '0008-registrations': registrations,
    '0009-ended-grants': endedGrants,
    '0010-codes-that-refresh': codesThatRefresh,
    '0011-decided-codes': decidedCodes,
    '0012-lapsed-links': lapsedLinks,
  },
  open: async (ctx) => ({
    ...openChains(ctx.config, watchingChains(ctx)),
    reading: new Map(),
    credentials: new Credentials(ctx.db),
    shownEpochs: new ShownEpochs(),
  }),
  operations,
  serves: {
    ...{ siweNonce, createSession, getSession, deleteSession, listSessions, endSession, endSessions, consoleToken },
    ...{ listKeys, createKey, deleteKey, introspect, sessionState },
    ...{ createGrant, findGrant, approveGrant, denyGrant, revokeLink, lastUses, token, revoke },
    ...{ listClientGrants, readClientGrant, endClientGrant, endClientGrants },
    ...{ register, readClient, updateClient, deleteClient, readAuthorization, decideAuthorization },
  },
  calls,
  publishes: [familyEnded],
  afterRestore,
  jobs: [sweep, endLapsedLinks],
})

import { oauth as operations } from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { measuringChainCalls, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { sweep } from './jobs.ts'
import type { Parts } from './kit.ts'
import { createKey } from './operations/create-key.ts'
import { createSession } from './operations/create-session.ts'
import { deleteKey } from './operations/delete-key.ts'
import { deleteSession } from './operations/delete-session.ts'
import { getSession } from './operations/get-session.ts'
import { introspect } from './operations/introspect.ts'
import { listKeys } from './operations/list-keys.ts'
import { siweNonce } from './operations/siwe-nonce.ts'
import * as accounts from './store/migrations/0001-accounts.ts'
import type { OauthTables } from './store/tables.ts'

/** Who is calling: nonces to sign, owners' sessions, API keys, and what a credential is worth. */
export const oauth = service<typeof Config, OauthTables, Parts, typeof operations>({
  name: 'oauth',
  config: Config,
  migrations: { '0001-accounts': accounts },
  open: async ({ config, metrics }) => openChains(config, measuringChainCalls(metrics)),
  operations,
  serves: { siweNonce, createSession, getSession, deleteSession, listKeys, createKey, deleteKey, introspect },
  jobs: [sweep],
})

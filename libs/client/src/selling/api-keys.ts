import { type OutputOf, oauth } from '@callboard/contract'
import { Api } from '../api.ts'
import { OwnerSession } from '../owner-session.ts'
import { chainOf, type MessageSigner, signFor } from '../signed-message.ts'

export type NewApiKey = OutputOf<typeof oauth.createKey>
export type ApiKeyRecord = OutputOf<typeof oauth.listKeys>['keys'][number]

/** A key that was created, beside the owner's others. */
export interface CreatedApiKey {
  readonly made: NewApiKey
  /** Keys that are valid and were never used: a process that was killed may have made one, and stored it nowhere. */
  readonly unused: readonly ApiKeyRecord[]
}

/** A service, and the owner's wallet there. */
export interface OwnerAt {
  readonly baseUrl: string
  readonly wallet: MessageSigner
}

/**
 * Signs in as the wallet's owner, creates an API key, and signs out. A key that cannot be stored is ended again: its
 * value is shown only once.
 * @param keep stores the key
 */
export const createApiKey = (owner: OwnerAt, label: string, keep: (made: NewApiKey) => void): Promise<CreatedApiKey> =>
  signedIn(owner, async (api) => {
    const unused = await unusedKeys(api)
    const made = await api.call(oauth.createKey, { label })
    try {
      keep(made)
    } catch (error) {
      await api.call(oauth.deleteKey, { id: made.id })
      throw error
    }
    return { made, unused }
  })

/** None where the service does not list them: that must not keep a seller from signing in. */
async function unusedKeys(api: Api): Promise<readonly ApiKeyRecord[]> {
  const listed = await api.call(oauth.listKeys, {}).catch(() => undefined)
  const read = oauth.listKeys.output.safeParse(listed)
  return read.success ? read.data.keys.filter(({ lastUsedAt }) => lastUsedAt === null) : []
}

/** Ends an API key of the wallet's owner; no request with it is served after that. */
export async function endApiKey(owner: OwnerAt, id: string): Promise<void> {
  await signedIn(owner, (api) => api.call(oauth.deleteKey, { id }))
}

/** Runs work in a session of the owner, which ends with it. */
async function signedIn<T>({ baseUrl, wallet }: OwnerAt, work: (api: Api) => Promise<T>): Promise<T> {
  const open = new Api({ baseUrl })
  const asked = await open.call(oauth.siweNonce, { purpose: 'login' })
  const signed = await signFor(open, wallet, { ...asked, purpose: 'login', chainId: await chainOf(open) })
  const api = new Api({ baseUrl, session: new OwnerSession(new URL(asked.uri).origin) })
  await api.call(oauth.createSession, signed as Parameters<typeof api.call<typeof oauth.createSession>>[1])
  try {
    return await work(api)
  } finally {
    // A session that cannot be ended now ends by itself; what was done in it stays done.
    await api.call(oauth.deleteSession, {}).catch(() => {})
  }
}

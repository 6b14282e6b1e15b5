import { type LocalAccount, newAccount } from '@callboard/conformance/chain'
import { type Asked, signSiwe } from '@callboard/conformance/owner'
import type { Shift } from './shift.ts'
import type { Stage } from './stage.ts'

let turn = 0

/** The number of keys that are kept; an owner may not have many more. */
const KEPT = 6

/** The provider's session: creating a key needs a fresh signature, so it is renewed before it is too old. */
const sessions = new WeakMap<Stage['provider'], { readonly cookie: string; readonly signedAt: number }>()
const RENEWED_AFTER_MS = 10 * 60_000

/** Creates an API key, and deletes the oldest one if there are enough. */
export async function manageKeys(shift: Shift): Promise<boolean> {
  const { requests, journal, baseUrl } = shift
  turn += 1
  const headers = { cookie: await freshSession(shift), origin: baseUrl }
  const [oldest] = journal.keys
  if (oldest && journal.keys.size >= KEPT) {
    const deleted = await requests.send('oauth.deleteKey', 'DELETE', `/api/keys/${oldest}`, { headers })
    // 404: an earlier attempt had succeeded without an answer.
    if (deleted.status === 204 || deleted.status === 404) {
      journal.keys.delete(oldest)
      journal.deletedKeys.add(oldest)
      return true
    }
    journal.doubtfulKeys.add(oldest)
    return false
  }
  const made = await requests.send('oauth.createKey', 'POST', '/api/keys', {
    headers,
    body: { label: `fault ${turn}` },
  })
  // A replica with a wrong clock may have signed it in.
  if (made.status === 403) await renewSession(shift)
  if (made.status !== 201) return false
  journal.keys.add(String(made.body.id))
  return true
}

async function freshSession(shift: Shift): Promise<string> {
  const { stage } = shift
  const known = sessions.get(stage.provider) ?? { cookie: stage.provider.cookie, signedAt: performance.now() }
  sessions.set(stage.provider, known)
  if (performance.now() - known.signedAt > RENEWED_AFTER_MS) await renewSession(shift)
  return sessions.get(stage.provider)?.cookie ?? known.cookie
}

async function renewSession(shift: Shift): Promise<void> {
  const cookie = await signIn(shift, shift.stage.provider.account)
  if (cookie) sessions.set(shift.stage.provider, { cookie, signedAt: performance.now() })
}

/** Signs in with a new wallet. */
export async function openSessions(shift: Shift): Promise<boolean> {
  const cookie = await signIn(shift, newAccount())
  if (cookie) shift.journal.sessions.push(cookie)
  return cookie !== undefined
}

/** @returns the cookie of the new session; undefined if there is none */
async function signIn({ stage, requests }: Shift, account: LocalAccount): Promise<string | undefined> {
  const asked = await requests.send('oauth.siweNonce', 'GET', '/api/auth/siwe-nonce?purpose=login')
  if (asked.status !== 200) return undefined
  const body = await signSiwe(account, asked.body as unknown as Asked, stage.devnet.chainId)
  const opened = await requests.send('oauth.createSession', 'POST', '/api/auth/session', { body })
  return opened.status === 200 ? opened.headers.getSetCookie()[0]?.split(';')[0] : undefined
}

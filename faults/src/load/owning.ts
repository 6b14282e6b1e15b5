import { newAccount } from '@callboard/conformance/chain'
import { type Asked, signSiwe } from '@callboard/conformance/owner'
import type { Shift } from './load.ts'

let turn = 0

/** So many keys are kept; an owner may not have many more. */
const KEPT = 6

/** Makes an API key, and deletes the oldest one where there are enough. */
export async function manageKeys({ stage, requests, journal, baseUrl }: Shift): Promise<boolean> {
  turn += 1
  const headers = { cookie: stage.provider.cookie, origin: baseUrl }
  const [oldest] = journal.keys
  if (oldest && journal.keys.size >= KEPT) {
    const deleted = await requests.send('oauth.deleteKey', 'DELETE', `/api/keys/${oldest}`, { headers })
    // 404: an earlier try had come to pass although no answer said so.
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
  if (made.status !== 201) return false
  journal.keys.add(String(made.body.id))
  return true
}

/** Signs in with a wallet that nobody has used. */
export async function openSessions({ stage, requests, journal }: Shift): Promise<boolean> {
  const asked = await requests.send('oauth.siweNonce', 'GET', '/api/auth/siwe-nonce?purpose=login')
  if (asked.status !== 200) return false
  const body = await signSiwe(newAccount(), asked.body as unknown as Asked, stage.devnet.chainId)
  const opened = await requests.send('oauth.createSession', 'POST', '/api/auth/session', { body })
  if (opened.status !== 200) return false
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie) journal.sessions.push(cookie)
  return true
}

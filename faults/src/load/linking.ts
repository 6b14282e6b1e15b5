import { newAccount } from '@callboard/conformance/chain'
import { type Asked, signSiwe } from '@callboard/conformance/owner'
import { DEVICE_CODE_GRANT } from '@callboard/contract'
import type { Shift } from './shift.ts'

/** The number of agents that stay linked; an owner may have twenty. */
const KEPT = 5

/** Links an agent on the owner's page, and ends the oldest link if there are enough. */
export async function linkAgents(shift: Shift): Promise<boolean> {
  const { links, doubtfulLinks } = shift.journal
  const [doubtful] = doubtfulLinks
  if (doubtful) return unlink(shift, doubtful)
  const [oldest] = links.keys()
  return oldest && links.size >= KEPT ? unlink(shift, oldest) : link(shift)
}

async function unlink({ stage, requests, journal, baseUrl }: Shift, clientId: string): Promise<boolean> {
  const token = journal.links.get(clientId)
  // Whatever the answer, the link may have ended.
  journal.links.delete(clientId)
  journal.doubtfulLinks.add(clientId)
  const headers = { cookie: stage.provider.cookie, origin: baseUrl }
  const ended = await requests.send('agents.unlink', 'DELETE', `/api/agents/${clientId}`, { headers })
  if (ended.status !== 204) return false
  journal.doubtfulLinks.delete(clientId)
  if (token) journal.endedLinks.push(token)
  return true
}

async function link(shift: Shift): Promise<boolean> {
  const { stage, requests, journal } = shift
  const asked = await requests.send('oauth.siweNonce', 'GET', '/api/auth/siwe-nonce?purpose=link')
  if (asked.status !== 200) return false
  const signed = await signSiwe(newAccount(), asked.body as unknown as Asked, stage.devnet.chainId)
  const body = { agent_message: signed.message, agent_signature: signed.signature, label: 'fault' }
  const begun = await requests.send('agents.deviceAuthorization', 'POST', '/oauth/device_authorization', { body })
  if (begun.status !== 200) return false
  const { device_code, user_code, client_id } = begun.body as Record<'device_code' | 'user_code' | 'client_id', string>
  if (!(await approve(shift, user_code, client_id))) return false
  const form = new URLSearchParams({ grant_type: DEVICE_CODE_GRANT, device_code, client_id })
  const redeemed = await requests.send('oauth.token', 'POST', '/oauth/token', { form })
  if (redeemed.status !== 200) return false
  journal.doubtfulLinks.delete(client_id)
  journal.links.set(client_id, String(redeemed.body.access_token))
  return true
}

/** What the owner does on the page. From then on the link may exist. */
async function approve({ stage, requests, journal, baseUrl }: Shift, userCode: string, clientId: string) {
  const headers = { cookie: stage.provider.cookie, origin: baseUrl }
  const page = await requests.send('agents.readLinkRequest', 'GET', `/link?user_code=${userCode}`, { headers })
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1]
  if (!csrf) return false
  journal.doubtfulLinks.add(clientId)
  const form = new URLSearchParams({ csrf, user_code: userCode, decision: 'approve', scopes: 'mcp:call' })
  return (await requests.send('agents.decideLink', 'POST', '/link', { headers, form })).status === 200
}

import { agents } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { type LocalAccount, newAccount } from './chain.ts'
import { type Answer, Client } from './client.ts'
import { askNonce, chainIdOf, newOwner, type Owner, signSiwe } from './owner.ts'
import { perTarget } from './per-target.ts'

/** The codes with which an agent polls. */
export interface Device {
  readonly device_code: string
  readonly user_code: string
  readonly client_id: string
}

/** An agent linked to an owner. */
export interface Agent {
  readonly account: LocalAccount
  readonly clientId: string
  /** Sends its access token. */
  readonly api: Client
}

/** A body for `POST /oauth/device_authorization`, signed by the agent's wallet with a fresh nonce. */
export async function linkBody(target: Target, account: LocalAccount, more: object = {}) {
  const asked = await askNonce(new Client(target.baseUrl), 'link')
  const { message, signature } = await signSiwe(account, asked, await chainIdOf(target))
  return { agent_message: message, agent_signature: signature, label: 'conformance', ...more }
}

/** Requests a link. */
export async function askToLink(target: Target, account: LocalAccount, more?: object, api?: Client): Promise<Device> {
  const client = api ?? new Client(target.baseUrl)
  const answer = await client.post('/oauth/device_authorization', await linkBody(target, account, more))
  return accepted(agents.deviceAuthorization, answer)
}

/** Decides on the consent page as a browser would: with the token of the form that was shown. */
export async function decideAtPage(
  { session }: Owner,
  { user_code }: Device,
  fields: readonly (readonly [name: string, value: string])[],
): Promise<Answer> {
  const shown = await session.get(`/link?user_code=${user_code}`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1]
  if (!csrf) throw new Error(`The page answered ${shown.status} without a form`)
  const form = [['csrf', csrf], ['user_code', user_code], ...fields].map(([name = '', value = '']) => [name, value])
  return session.post('/link', new URLSearchParams(form))
}

/** Approves every scope that an agent requests by default, with a limit of 2.50 USD per day. */
export const APPROVAL = [
  ['decision', 'approve'],
  ['scopes', 'mcp:call'],
  ['scopes', 'router.use'],
  ['router_allowance_usd', '2.5'],
] as const

/** Polls the token endpoint (RFC 8628 §3.4). */
export const poll = (target: Target, { device_code, client_id }: Device): Promise<Answer> =>
  new Client(target.baseUrl).post(
    '/oauth/token',
    new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code, client_id }),
  )

/** Redeems an approved grant. */
export async function redeem(target: Target, account: LocalAccount, device: Device): Promise<Agent> {
  const answer = await poll(target, device)
  if (answer.status !== 200) throw new Error(`The token endpoint answered ${answer.status}: ${answer.text}`)
  const { access_token } = answer.json() as { access_token: string }
  const api = new Client(target.baseUrl, { authorization: `Bearer ${access_token}` })
  return { account, clientId: device.client_id, api }
}

/** Links a fresh wallet. */
export async function newAgent(
  target: Target,
  owner: Owner,
  more: object = {},
  approval: readonly (readonly [string, string])[] = APPROVAL,
): Promise<Agent> {
  const account = newAccount()
  const device = await askToLink(target, account, more)
  const decided = await decideAtPage(owner, device, approval)
  if (decided.status >= 400) throw new Error(`The page answered ${decided.status}: ${decided.text}`)
  return redeem(target, account, device)
}

/** Links a fresh wallet through an agent that vouches for it, on a device that its owner trusts. */
export async function linkedBy(target: Target, parent: Agent, more: object): Promise<Agent> {
  const account = newAccount()
  const device = await askToLink(target, account, { label: 'linked-by-another', ...more }, parent.api)
  return redeem(target, account, device)
}

/** An owner with one linked agent. */
export interface OwnerAndAgent {
  readonly owner: Owner
  readonly agent: Agent
}

/** One owner and agent, shared in a run by tests that do not change them. */
export const ownerAndAgentOf = perTarget(async (target): Promise<OwnerAndAgent> => {
  const owner = await newOwner(target)
  return { owner, agent: await newAgent(target, owner, { label: 'housemate', device: 'laptop' }) }
})

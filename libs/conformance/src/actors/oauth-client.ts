import { createHash, randomBytes } from 'node:crypto'
import { type OutputOf, oauth } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { type Answer, Client } from './client.ts'
import { type Owner, visitorOf } from './owner.ts'

export type Registered = OutputOf<typeof oauth.register>

/** Where the client's answers are redirected; never fetched. */
export const REDIRECT = 'https://client.example/callback'

/** Metadata of a public client with refresh tokens. */
export const METADATA = {
  client_name: 'conformance',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

/** Registers a client for a single test. */
export async function newClient(target: Target, more: object = {}): Promise<Registered> {
  const answer = await new Client(target.baseUrl).post('/oauth/register', { ...METADATA, ...more })
  if (answer.status !== 201) throw new Error(`The registration answered ${answer.status}: ${answer.text}`)
  return answer.json() as Registered
}

/** The client with its registration token, and the path of its registration. */
export const manages = (target: Target, client: Registered): { readonly api: Client; readonly path: string } => ({
  api: new Client(target.baseUrl, { authorization: `Bearer ${client.registration_access_token}` }),
  path: `/oauth/register/${client.client_id}`,
})

/** What a client sends to the token endpoint to redeem a code. */
export type Redeems = Readonly<Record<'client_id' | 'code' | 'code_verifier' | 'redirect_uri', string>>

/** The owner allows the client a scope at the consent page. */
export async function allowedCode(
  target: Target,
  { client_id }: Registered,
  more: Readonly<Record<string, string>> = {},
  owner?: Owner,
): Promise<Redeems> {
  const { session } = owner ?? (await visitorOf(target))
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, scope: 'mcp:call', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    ...more,
  }).toString()
  const shown = await session.get(`/oauth/authorize?${query}`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1]
  if (!csrf) throw new Error(`The consent page answered ${shown.status} without a form`)
  const form = new URLSearchParams({ query, csrf, decision: 'approve', scopes: 'mcp:call' })
  const sent = await session.post('/oauth/authorize', form)
  const code = new URL(sent.headers.get('location') ?? 'none:').searchParams.get('code')
  if (!code) throw new Error(`The consent page answered ${sent.status} without a code`)
  return { client_id, code, code_verifier, redirect_uri: REDIRECT }
}

/** A program that an owner allowed, its tokens, and the id of its grant. */
export async function allowedProgram(target: Target, owner: Owner, known?: Registered) {
  const client = known ?? (await newClient(target))
  const redeemed = await askToken(target, 'authorization_code', await allowedCode(target, client, {}, owner))
  const tokens = accepted(oauth.token, redeemed)
  const { grants } = accepted(oauth.listClientGrants, await owner.session.get('/api/auth/grants'))
  const grantId = grants.find((grant) => grant.client.id === client.client_id)?.id ?? ''
  return { client, tokens, grantId }
}

/** Whether a route for bearer credentials accepts this token, even with another scope. */
export async function isTaken(
  { baseUrl }: Target,
  { access_token }: { readonly access_token: string },
): Promise<boolean> {
  const client = new Client(baseUrl, { authorization: `Bearer ${access_token}` })
  return (await client.get('/api/call/listings/mine')).status !== 401
}

/** Sends a form to the token endpoint. */
export const askToken = (target: Target, grant: string, members: Readonly<Record<string, string>>): Promise<Answer> =>
  new Client(target.baseUrl).post('/oauth/token', new URLSearchParams({ grant_type: grant, ...members }))

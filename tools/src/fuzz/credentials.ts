import { randomBytes } from 'node:crypto'
import { type Agent, newAgent } from '@callboard/conformance/agent'
import { allowedProgram, newClient, type Registered } from '@callboard/conformance/oauth-client'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import type { Target as Instance } from '@callboard/conformance/target'

/** Every kind of credential that the interface knows, and some that are none. */
export const KINDS = [
  ...['none', 'session', 'foreign-origin', 'key', 'agent', 'narrow-agent', 'program', 'console'],
  ...['registration', 'client', 'refresh', 'dead', 'revoked-key', 'ended-session', 'malformed', 'two'],
] as const satisfies readonly string[]
export type Kind = (typeof KINDS)[number]

type Headers = Readonly<Record<string, string>>

/** One credential of each kind, and their owners. */
export interface Credentials {
  readonly owner: Owner
  readonly agent: Agent
  readonly program: Registered
  /** The id of an API key of the owner that no kind uses. */
  readonly keyId: string
  /** An access token of the program. */
  readonly token: string
  /** The headers for a kind. */
  of(kind: Kind): Headers
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** Signs in, links and registers until there is a credential of each kind. */
export async function newCredentials(instance: Instance): Promise<Credentials> {
  const owner = await newOwner(instance)
  const { session } = owner
  const scope = 'mcp:call router.use call.publish'
  const agent = await newAgent(instance, owner, { label: 'fuzz', device: 'laptop', scope }, [
    ['decision', 'approve'],
    ...scope.split(' ').map((one) => ['scopes', one] as const),
    ['router_allowance_usd', '2.5'],
  ])
  const narrow = await newAgent(instance, owner, { label: 'narrow' }, [
    ['decision', 'approve'],
    ['scopes', 'mcp:call'],
  ])
  const { client: program, tokens } = await allowedProgram(instance, owner)
  const secret = await newClient(instance, { token_endpoint_auth_method: 'client_secret_basic' })
  const { access_token: console_ } = (await session.post('/api/auth/console-token')).json() as { access_token: string }
  const revoked = (await session.post('/api/keys', { label: 'revoked' })).json() as { id: string; key: string }
  await session.delete(`/api/keys/${revoked.id}`)
  const past = await newOwner(instance)
  await past.session.delete('/api/auth/session')
  const basic = Buffer.from(`${secret.client_id}:${secret.client_secret}`).toString('base64')
  const own = session.headers
  const heads: Readonly<Record<Kind, () => Headers>> = {
    none: () => ({}),
    session: () => own,
    'foreign-origin': () => ({ ...own, origin: 'https://evil.example' }),
    key: () => owner.api.headers,
    agent: () => agent.api.headers,
    'narrow-agent': () => narrow.api.headers,
    program: () => bearer(tokens.access_token),
    console: () => bearer(console_),
    registration: () => bearer(program.registration_access_token),
    client: () => ({ authorization: `Basic ${basic}` }),
    refresh: () => bearer(tokens.refresh_token ?? ''),
    dead: () => bearer(`cb_${randomBytes(32).toString('base64url')}`),
    'revoked-key': () => bearer(revoked.key),
    'ended-session': () => past.session.headers,
    malformed: () => ({ authorization: 'Bearer é \t{}' }),
    two: () => ({ ...own, ...owner.api.headers }),
  }
  const spare = (await session.post('/api/keys', { label: 'spare' })).json() as { id: string }
  return { ...{ owner, agent, program, keyId: spare.id, token: tokens.access_token }, of: (kind) => heads[kind]() }
}

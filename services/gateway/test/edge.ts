import { agentClientId, DEVICE_CODE_GRANT, type OutputOf, oauth as operations, type Scope } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { oauth } from '@callboard/oauth'
import type { ServiceModule } from '@callboard/runtime'
import {
  granted,
  signedMessage,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  wallet,
} from '@callboard/testkit'
import type { Clock } from '@callboard/values'
import { gateway } from '../src/index.ts'

/** An API key as its owner sees it once. */
interface ApiKey {
  readonly id: string
  readonly key: string
}

/** A gateway and an oauth service on a port, with helpers by which clients get credentials. */
export interface Edge {
  readonly base: string
  readonly services: TestServices
  readonly database: TestDatabase
  /** Signs in with a wallet of the devnet. @returns the cookie */
  signIn(walletIndex: number): Promise<string>
  /** Makes an API key of the cookie's owner. */
  newKey(cookie: string): Promise<ApiKey>
  /** Links an agent's wallet to an owner, as the agents service does. @returns the tokens of the agent */
  link(agent: number, owner: number, scopes: Scope[]): Promise<OutputOf<typeof operations.token>>
  stop(): Promise<void>
}

/** @param more services to run in addition to oauth and the gateway, and changed settings */
export async function startEdge(
  postgresUrl: string,
  more: { modules?: readonly ServiceModule[]; env?: Record<string, string>; clock?: Clock } = {},
): Promise<Edge> {
  const database = await testDatabase(postgresUrl)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const services = await startTestServices([oauth, ...(more.modules ?? []), gateway], {
    databaseUrl: database.url,
    ...(more.clock ? { clock: more.clock } : {}),
    env: {
      PORT: String(port),
      BASE_URL: base,
      RATE_LIMITS: JSON.stringify({ signIn: { burst: 100, perMinute: 100 } }),
      DEVNET: UNREACHABLE_DEVNET,
      ...more.env,
    },
  })
  return {
    base,
    services,
    database,
    signIn: (walletIndex) => signIn(base, walletIndex, more.clock?.now()),
    newKey: (cookie) => newKey(base, cookie),
    link: (agent, owner, scopes) => link(services, agent, owner, scopes),
    async stop() {
      await services.stop()
      await database.drop()
    },
  }
}

async function signIn(base: string, walletIndex: number, now = Date.now()): Promise<string> {
  const { nonce } = (await (await fetch(`${base}/api/auth/siwe-nonce?purpose=login`)).json()) as { nonce: string }
  const signed = await signedMessage(wallet(walletIndex), { purpose: 'login', nonce, baseUrl: base, now })
  const answer = await fetch(`${base}/api/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signed),
  })
  if (!answer.ok) throw new Error(`The sign-in answered ${answer.status}: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function newKey(base: string, cookie: string): Promise<ApiKey> {
  const answer = await fetch(`${base}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: base },
    body: JSON.stringify({ label: 'test' }),
  })
  if (!answer.ok) throw new Error(`The key was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as ApiKey
}

/** Makes every session look as if its wallet had signed that much earlier. Cached introspections are unaffected. */
export const ageSessions = ({ database }: Edge, minutes: number) =>
  database.query(`update oauth.session set created_at = created_at - interval '${minutes} minutes'`)

let links = 0

async function link({ call }: TestServices, agent: number, owner: number, scopes: Scope[]) {
  const clientId = agentClientId(wallet(agent).address)
  const grant = granted(await call(operations.createGrant, { clientId, scopes }))
  links += 1
  await call(operations.approveGrant, {
    ...{ grantId: grant.grantId, linkId: `link-${links}`, owner: wallet(owner).address, scopes },
    ...{ replaces: [], sealed: null, routerUnavailable: false },
  })
  return granted(
    await call(operations.token, {
      ...{ grant_type: DEVICE_CODE_GRANT, device_code: grant.deviceCode, client_id: clientId },
      ...{ client_secret: undefined, code: undefined, redirect_uri: undefined, code_verifier: undefined },
      ...{ refresh_token: undefined, scope: undefined, resource: undefined },
    }),
  )
}

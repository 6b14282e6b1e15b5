import { createHash, randomBytes } from 'node:crypto'
import { type Caller, type InputOf, type OutputOf, oauth as operations, type Scope } from '@callboard/contract'
import type { ServiceModule } from '@callboard/runtime'
import {
  type FakeClock,
  fakeClock,
  granted,
  signedMessage,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  wallet,
} from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { inject } from 'vitest'
import type { OauthContext } from '../src/context.ts'
import { oauth } from '../src/index.ts'

export const BASE_URL = 'http://127.0.0.1:8402'
export const SITE = 'https://client.example/callback'

type Registered = OutputOf<typeof operations.register>
type TokenInput = InputOf<typeof operations.token>

export const owner = wallet(1).address
export const requester = { address: '127.0.0.1', userAgent: 'vitest' } as const
export const session = {
  kind: 'session',
  owner,
  sessionId: 'one',
  signedInAt: isoTime(Date.now()),
  expiresAt: isoTime(Date.now() + 86_400_000),
} as const satisfies Caller

/** A verifier and the challenge that it proves (RFC 7636). */
export function newProof(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The oauth service with one signed-in owner. */
export class Stage {
  readonly clock: FakeClock
  readonly database: TestDatabase
  readonly #services: TestServices

  private constructor(database: TestDatabase, services: TestServices, clock: FakeClock) {
    this.database = database
    this.#services = services
    this.clock = clock
  }

  /** @param more services to run in addition to oauth, further settings, and the clock if a test needs it beforehand */
  static async open(
    more: { modules?: readonly ServiceModule[]; env?: Record<string, string>; clock?: FakeClock } = {},
  ): Promise<Stage> {
    const { clock = fakeClock() } = more
    const database = await testDatabase(inject('postgresUrl'))
    const services = await startTestServices([oauth, ...(more.modules ?? [])], {
      databaseUrl: database.url,
      clock,
      env: { BASE_URL, DEVNET: UNREACHABLE_DEVNET, ...more.env },
    })
    const stage = new Stage(database, services, clock)
    await stage.signIn()
    return stage
  }

  /** Signs the owner in again, with the id of `session`. */
  async signIn(): Promise<void> {
    const { nonce } = granted(await this.call(operations.siweNonce, { purpose: 'login' }))
    const asked = { purpose: 'login', nonce, baseUrl: BASE_URL, now: this.clock.now() } as const
    const { sessionToken } = granted(
      await this.call(operations.createSession, { ...(await signedMessage(wallet(1), asked)), requester }),
    )
    const hash = createHash('sha256').update(sessionToken).digest('hex')
    await this.database.query('update oauth.session set id = $1 where token_hash = $2', [session.sessionId, hash])
  }

  async close(): Promise<void> {
    await this.#services.stop()
    await this.database.drop()
  }

  /** The owner, just after their wallet signed. */
  get signedIn(): Extract<Caller, { kind: 'session' }> {
    return { ...session, signedInAt: isoTime(this.clock.now()) }
  }

  /** The context of the service's jobs. */
  get context(): OauthContext {
    return this.#services.contexts.get('oauth') as OauthContext
  }

  call: TestServices['call'] = (op, input, meta) => this.#services.call(op, input, meta)

  register = async (more: Record<string, unknown> = {}): Promise<Registered> =>
    granted(
      await this.call(operations.register, {
        redirect_uris: [SITE],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        ...more,
      }),
    )

  /** Presents an authorization request to the owner. */
  ask = (parameters: Record<string, string | undefined> | string) =>
    this.call(operations.readAuthorization, { query: queryOf(parameters) }, { caller: session })

  decide = (
    parameters: Record<string, string | undefined> | string,
    decision: InputOf<typeof operations.decideAuthorization>['decision'],
  ) => this.call(operations.decideAuthorization, { query: queryOf(parameters), decision }, { caller: this.signedIn })

  /** A code that the owner granted to a client, and how to redeem it. */
  async approved(client: Registered, more: Record<string, string | undefined> = {}, scopes: Scope[] = ['mcp:call']) {
    const { verifier, challenge } = newProof()
    const asked = { ...goodRequest(client.client_id, challenge), ...more }
    const { redirectTo } = granted(await this.decide(asked, { verdict: 'approve', scopes }))
    const code = new URL(redirectTo).searchParams.get('code') ?? ''
    return { code, code_verifier: verifier, redirect_uri: asked.redirect_uri, client_id: client.client_id }
  }

  /** @param call asks another replica */
  token = (more: Partial<TokenInput>, call: TestServices['call'] = this.call) =>
    call(operations.token, {
      ...{ client_id: undefined, client_secret: undefined, device_code: undefined, code: undefined },
      ...{ redirect_uri: undefined, code_verifier: undefined, refresh_token: undefined },
      ...{ scope: undefined, resource: undefined, grant_type: 'authorization_code' },
      ...more,
    })

  async callerOf(credential: string): Promise<Caller | undefined> {
    const answer = granted(await this.call(operations.introspect, { credential, kind: 'bearer' }))
    return answer.active ? answer.caller : undefined
  }
}

/** A request without faults. */
export const goodRequest = (clientId: string, challenge = newProof().challenge) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: SITE,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  scope: 'mcp:call router.use',
  state: 'a state/with=signs&more',
})

export function queryOf(parameters: Record<string, string | undefined> | string): string {
  if (typeof parameters === 'string') return parameters
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given).toString()
}

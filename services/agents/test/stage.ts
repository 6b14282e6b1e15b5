import {
  agents,
  type Caller,
  DEVICE_CODE_GRANT,
  type InputOf,
  type OutputOf,
  oauth as oauthOperations,
} from '@callboard/contract'
import { oauth } from '@callboard/oauth'
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
import { type Address, isoTime, type Refusal } from '@callboard/values'
import { inject } from 'vitest'
import { agents as service } from '../src/index.ts'

export const BASE_URL = 'http://127.0.0.1:8402'
type Asked = Partial<InputOf<typeof agents.deviceAuthorization>>
type Approval = Partial<Extract<InputOf<typeof agents.decideLink>['decision'], { verdict: 'approve' }>>

/** A linked agent: its identity at the services, and its tokens. */
export interface Linked {
  readonly caller: Extract<Caller, { kind: 'agent' }>
  readonly tokens: OutputOf<typeof oauthOperations.token>
  readonly routerUnavailable: boolean
}

export interface Stage {
  readonly clock: FakeClock
  readonly database: TestDatabase
  readonly services: TestServices
  call: TestServices['call']
  /** An agent's request, signed with a fresh nonce; `spoiled` replaces fields of its message. */
  request(
    agent: number,
    asked?: Asked,
    spoiled?: Parameters<typeof signedMessage>[2],
  ): Promise<Required<Pick<Asked, 'agent_message'>> & InputOf<typeof agents.deviceAuthorization>>
  /** Asks to be linked. */
  ask(agent: number, asked?: Asked, caller?: Caller): Promise<OutputOf<typeof agents.deviceAuthorization>>
  approve(userCode: string, owner: Caller, approval?: Approval): Promise<OutputOf<typeof agents.decideLink> | Refusal>
  poll(device: { device_code: string; client_id: string }): Promise<OutputOf<typeof oauthOperations.token> | Refusal>
  /** Links an agent to its owner, from request to tokens. */
  link(agent: number, owner: Caller, asked?: Asked, approval?: Approval): Promise<Linked>
  callerOf(accessToken: string): Promise<Caller | undefined>
  rows(table: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export const requesterAt = (address: string) => ({ address, userAgent: 'vitest' })

/** An owner who is signed in. */
export const signedIn = (owner: Address): Extract<Caller, { kind: 'session' }> => ({
  kind: 'session',
  owner,
  sessionId: `session of ${owner}`,
  signedInAt: isoTime(Date.now()),
  expiresAt: isoTime(Date.now() + 3_600_000),
})

let owners = 100
/** An owner that no other test uses. */
export function newOwner() {
  owners += 1
  return signedIn(wallet(owners).address)
}

export interface StageOptions {
  readonly modules?: readonly ServiceModule[]
  readonly env?: Record<string, string>
  readonly startMs?: number
  /** The database of an earlier stage, which then outlives this one. */
  readonly database?: TestDatabase
}

/** Records sessions at oauth, as signing in does, when they first appear. */
function sessionsAt({ query }: TestDatabase) {
  const known = new Set<string>()
  return async (caller?: Caller): Promise<void> => {
    if (caller?.kind !== 'session' || known.has(caller.sessionId)) return
    known.add(caller.sessionId)
    const { owner, sessionId } = caller
    await query(`insert into oauth.account (owner, created_at) values ($1, now()) on conflict do nothing`, [owner])
    await query(
      `insert into oauth.session (token_hash, id, owner, created_at, last_seen_at) values ($2, $2, $1, now(), now())
       on conflict do nothing`,
      [owner, sessionId],
    )
  }
}

/** The two services on a database of their own, plus the Router if a test brings one. */
export async function openStage({
  modules = [],
  env = {},
  startMs,
  database: given,
}: StageOptions = {}): Promise<Stage> {
  const database = given ?? (await testDatabase(inject('postgresUrl')))
  const clock = fakeClock(startMs)
  const services = await startTestServices([oauth, ...modules, service], {
    databaseUrl: database.url,
    clock,
    env: { BASE_URL, DEVNET: UNREACHABLE_DEVNET, ...env },
  })
  const knowSession = sessionsAt(database)
  const call: TestServices['call'] = async (operation, input, meta) => {
    await knowSession(meta?.caller)
    return services.call(operation, input, meta)
  }
  const stage: Stage = {
    clock,
    database,
    services,
    call,
    async request(agent, asked = {}, spoiled = {}) {
      const { nonce } = granted(await call(oauthOperations.siweNonce, { purpose: 'link' }))
      const about = { purpose: 'link' as const, nonce, baseUrl: BASE_URL, now: clock.now() }
      const { message, signature } = await signedMessage(wallet(agent), about, spoiled)
      const signed = { agent_message: message, agent_signature: signature }
      return { ...signed, label: 'scout', requester: requesterAt('192.0.2.1'), ...asked }
    },
    async ask(agent, asked, caller) {
      const input = await stage.request(agent, asked)
      return granted(await call(agents.deviceAuthorization, input, caller ? { caller } : {}))
    },
    approve: (userCode, owner, approval = {}) =>
      call(
        agents.decideLink,
        {
          userCode,
          requester: requesterAt('192.0.2.2'),
          decision: {
            ...{ verdict: 'approve', scopes: ['mcp:call'], routerAllowanceUsd: 0, trustDevice: false },
            ...approval,
          },
        },
        { caller: owner },
      ),
    poll: ({ device_code, client_id }) =>
      call(oauthOperations.token, {
        ...{ client_secret: undefined, code: undefined, redirect_uri: undefined, code_verifier: undefined },
        ...{ refresh_token: undefined, scope: undefined, resource: undefined },
        ...{ grant_type: DEVICE_CODE_GRANT, device_code, client_id },
      }),
    async link(agent, owner, asked, approval) {
      const device = await stage.ask(agent, asked)
      // The wallet has just signed, whatever the clock was advanced by.
      const signed = owner.kind === 'session' ? { ...owner, signedInAt: isoTime(clock.now()) } : owner
      const { routerUnavailable } = granted(await stage.approve(device.user_code, signed, approval))
      const tokens = granted(await stage.poll(device))
      const caller = await stage.callerOf(tokens.access_token)
      if (caller?.kind !== 'agent') throw new Error('the token is not an agent’s')
      // No two links have the same time, so that their order is known.
      clock.advance(1)
      return { caller, tokens, routerUnavailable }
    },
    async callerOf(credential) {
      const answer = granted(await call(oauthOperations.introspect, { credential, kind: 'bearer' }))
      return answer.active ? answer.caller : undefined
    },
    rows: (table) => database.query(`select * from ${table}`),
    async close() {
      await services.stop()
      if (!given) await database.drop()
    },
  }
  return stage
}

/** The data of the events that `agents` has written, oldest first. */
export async function eventsOf({ database }: Stage, linkId: string): Promise<{ name: string; by?: unknown }[]> {
  const rows = await database.query<{ name: string; data: { by?: unknown } }>(
    'select name, data from agents.outbox where key = $1 order by sequence',
    [linkId],
  )
  return rows.map(({ name, data }) => ('by' in data ? { name, by: data.by } : { name }))
}

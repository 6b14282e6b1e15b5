import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '@callboard/agents'
import { DEVICE_CODE_GRANT, LIMITS, type NoncePurpose } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { listings } from '@callboard/listings'
import { oauth } from '@callboard/oauth'
import type { ServiceModule } from '@callboard/runtime'
import {
  signedMessage,
  startTestServices,
  type TestDatabase,
  testDatabase,
  UNREACHABLE_DEVNET,
  wallet,
} from '@callboard/testkit'
import { type IsolatedServer, type NatsServer, startNatsServer, startRedisServer } from '@callboard/testkit/servers'

const wide = { burst: 1_000_000, perMinute: 60_000_000 }
const RATE_LIMITS = JSON.stringify(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, wide])))
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Lets an agent read its owner’s listings, where only the gateway checks the token. */
const SCOPE = 'call.publish'

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly client_id: string
}

/** Gateways, two replicas each of oauth and agents, and one of listings, with their own database, bus and Redis. */
export class Replicas {
  /** The addresses of the gateways; messages are signed for the first. */
  readonly gateways: readonly string[]
  readonly database: TestDatabase
  readonly #folder: string
  readonly #nats: NatsServer
  #redis: IsolatedServer
  #running: { stop(): Promise<void> }[] = []

  private constructor(parts: {
    gateways: string[]
    database: TestDatabase
    folder: string
    nats: NatsServer
    redis: IsolatedServer
  }) {
    this.gateways = parts.gateways
    this.database = parts.database
    this.#folder = parts.folder
    this.#nats = parts.nats
    this.#redis = parts.redis
  }

  static async open(postgresUrl: string, gateways = 3): Promise<Replicas> {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-replicas-'))
    const ports: number[] = []
    for (let n = 0; n < gateways; n += 1) ports.push(await freePort())
    const replicas = new Replicas({
      gateways: ports.map((port) => `http://127.0.0.1:${port}`),
      database: await testDatabase(postgresUrl),
      folder,
      nats: await startNatsServer({ storeDir: join(folder, 'nats') }),
      // Counters raised by a revocation survive a restart, as in a Redis that keeps its data.
      redis: await startRedisServer({ dataDir: folder, durable: true }),
    })
    for (const module of [oauth, oauth, agents, agents, listings]) await replicas.#start(module)
    for (const port of ports) await replicas.#start(gateway, { PORT: String(port) })
    return replicas
  }

  async #start(module: ServiceModule, env: Record<string, string> = {}): Promise<void> {
    const running = await startTestServices([module], {
      databaseUrl: this.database.url,
      natsUrl: this.#nats.url,
      env: { BASE_URL: this.base, REDIS_URL: this.#redis.url, DEVNET: UNREACHABLE_DEVNET, RATE_LIMITS, ...env },
    })
    this.#running.push(running)
  }

  get base(): string {
    return this.gateways[0] ?? ''
  }

  stopRedis = (): Promise<void> => this.#redis.stop()

  async startRedis(): Promise<void> {
    this.#redis = await startRedisServer({ dataDir: this.#folder, port: this.#redis.port, durable: true })
  }

  async close(): Promise<void> {
    for (const running of this.#running.reverse()) await running.stop()
    await this.#redis.stop()
    await this.#nats.stop()
    await this.database.drop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** A message for a purpose, signed by a wallet, with our nonce. */
  async signed(walletIndex: number, purpose: NoncePurpose) {
    const asked = await fetch(`${this.base}/api/auth/siwe-nonce?purpose=${purpose}`)
    const { nonce } = (await asked.json()) as { nonce: string }
    return signedMessage(wallet(walletIndex), { purpose, nonce, baseUrl: this.base })
  }

  /** @returns the cookie of the owner's new session */
  async signIn(owner: number): Promise<string> {
    const answer = await fetch(`${this.base}/api/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await this.signed(owner, 'login')),
    })
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }

  async newKey(cookie: string): Promise<{ id: string; key: string }> {
    const answer = await fetch(`${this.base}/api/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: this.base },
      body: JSON.stringify({ label: 'test' }),
    })
    return (await answer.json()) as { id: string; key: string }
  }

  /** An agent's wallet asks to be linked. */
  async ask(agent: number): Promise<{ device_code: string; user_code: string; client_id: string }> {
    const { message, signature } = await this.signed(agent, 'link')
    const body = new URLSearchParams({
      agent_message: message,
      agent_signature: signature,
      label: 'scout',
      scope: SCOPE,
    })
    const answer = await this.post('/oauth/device_authorization', body)
    return (await answer.json()) as { device_code: string; user_code: string; client_id: string }
  }

  /** What the owner does on the page. */
  async approve(cookie: string, userCode: string): Promise<Response> {
    const page = await fetch(`${this.base}/link?user_code=${userCode}`, { headers: { cookie } })
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const form = new URLSearchParams({ csrf, user_code: userCode, decision: 'approve', scopes: SCOPE })
    return this.post('/link', form, { cookie, origin: this.base })
  }

  poll = ({ device_code, client_id }: { device_code: string; client_id: string }): Promise<Response> =>
    this.post('/oauth/token', new URLSearchParams({ grant_type: DEVICE_CODE_GRANT, device_code, client_id }))

  refresh = ({ refresh_token, client_id }: Tokens): Promise<Response> =>
    this.post('/oauth/token', new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id }))

  /** Links an agent to its owner, with all steps. */
  async link(cookie: string, agent: number): Promise<Tokens> {
    const asked = await this.ask(agent)
    const approved = await this.approve(cookie, asked.user_code)
    if (!approved.ok) throw new Error(`The approval answered ${approved.status}`)
    const tokens = (await (await this.poll(asked)).json()) as Omit<Tokens, 'client_id'>
    return { ...tokens, client_id: asked.client_id }
  }

  post = (path: string, body: URLSearchParams, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(this.base + path, { method: 'POST', body: body.toString(), headers: { ...FORM, ...headers } })
}

import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Replicas, type Tokens } from './replicas.ts'

const AGENTS_EACH = 4
const FIRST_AGENT = 20

/** One request of an agent: when it began, and the answer. Milliseconds of `performance.now`. */
interface Called {
  readonly began: number
  readonly where: string
  readonly status: number
}

/**
 * What an agent requests: who it is, which `agents` answers by the link; and listings, where only the gateway judges
 * the token.
 */
const PATHS = ['/api/agents/self', '/api/call/listings/mine']

/** An agent that calls one gateway after the other, as fast as it gets answers. */
class BusyAgent {
  readonly calls: Called[] = []
  readonly tokens: Tokens
  readonly #places: readonly string[]
  #stopped = false
  readonly #loop: Promise<void>

  constructor({ gateways }: Replicas, tokens: Tokens) {
    this.tokens = tokens
    this.#places = PATHS.flatMap((path) => gateways.map((base) => base + path))
    this.#loop = this.#run()
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      const where = this.#places[turn % this.#places.length] ?? ''
      const began = performance.now()
      const { status } = await this.send(where)
      this.calls.push({ began, where, status })
    }
  }

  send(where: string, method = 'GET'): Promise<Response> {
    return fetch(where, { method, headers: { authorization: `Bearer ${this.tokens.access_token}` } })
  }

  /** Whether it has called every gateway since a moment. */
  askedEverywhere(since: number): boolean {
    const later = this.calls.filter(({ began }) => began > since)
    return new Set(later.map(({ where }) => where)).size === this.#places.length
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop
  }
}

describe.runIf(inject('natsUrl') && inject('redisUrl'))('an agent’s token, at three gateways under load', () => {
  let replicas: Replicas
  let cookie: string
  let busy: BusyAgent[]

  beforeAll(async () => {
    replicas = await Replicas.open(inject('postgresUrl'))
    cookie = await replicas.signIn(1)
    const linked: Tokens[] = []
    for (let n = 0; n < 5 * AGENTS_EACH; n += 1) linked.push(await replicas.link(cookie, FIRST_AGENT + n))
    busy = linked.map((tokens) => new BusyAgent(replicas, tokens))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(busy?.map((agent) => agent.stop()) ?? [])
    await replicas?.close()
  })

  const ENDINGS: [string, (agent: BusyAgent, index: number) => Promise<[Response, number]>][] = [
    [
      'its owner’s DELETE /api/agents/:clientId',
      async ({ tokens }) => {
        const headers = { cookie, origin: replicas.base }
        return [
          await fetch(`${replicas.gateways[1]}/api/agents/${tokens.client_id}`, { method: 'DELETE', headers }),
          204,
        ]
      },
    ],
    [
      'its own DELETE /api/agents/self',
      async (agent) => [await agent.send(`${replicas.gateways[2]}/api/agents/self`, 'DELETE'), 204],
    ],
    [
      'POST /oauth/revoke',
      async ({ tokens }) => [
        await replicas.post('/oauth/revoke', new URLSearchParams({ token: tokens.refresh_token })),
        200,
      ],
    ],
    [
      'the reuse of a stolen refresh token',
      async ({ tokens }) => {
        const next = (await (await replicas.refresh(tokens)).json()) as Tokens
        await replicas.refresh({ ...next, client_id: tokens.client_id })
        return [await replicas.refresh(tokens), 400]
      },
    ],
    [
      'its wallet being linked again',
      async (_agent, index) => {
        const { user_code } = await replicas.ask(FIRST_AGENT + index)
        return [await replicas.approve(cookie, user_code), 200]
      },
    ],
  ]

  test.each(ENDINGS)('is refused everywhere from the answer of %s on, and nowhere before', async (_what, end) => {
    const first = ENDINGS.findIndex(([what]) => what === _what) * AGENTS_EACH
    const ending = busy.slice(first, first + AGENTS_EACH)
    for (const agent of ending) await until('it asked everywhere', () => agent.askedEverywhere(0))
    const moments = await Promise.all(
      ending.map(async (agent, index) => {
        const asked = performance.now()
        const [answer, expected] = await end(agent, first + index)
        const answered = performance.now()
        expect(answer.status, await answer.text()).toBe(expected)
        return { agent, asked, answered }
      }),
    )
    for (const { agent, answered } of moments) {
      await until('it asked everywhere after the answer', () => agent.askedEverywhere(answered))
      await agent.stop()
    }
    for (const { agent, asked, answered } of moments) {
      const before = agent.calls.filter(({ began }) => began < asked).slice(0, -1)
      const after = agent.calls.filter(({ began }) => began > answered)
      expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
      // A client that keeps presenting a dead credential is slowed down after a while: 429.
      expect(after.filter(({ status }) => status !== 401 && status !== 429)).toEqual([])
    }
  })
})

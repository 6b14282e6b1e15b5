import { AgentCard, type AgentMessage, tools } from '@callboard/contract'
import { expect, test } from 'vitest'
import { ownerAndAgentOf } from '../actors/agent.ts'
import { Client } from '../actors/client.ts'
import { wanted, whilePosted } from '../actors/poster.ts'
import { expectRefusal } from '../expectations/expectations.ts'
import { eventually, staged } from '../stage.ts'
import type { TargetOf } from '../target.ts'
import { politely, TOOL_INPUTS } from './tool-calls.ts'

const HEADERS = { 'a2a-version': '1.0' }

const request = (part: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
  params: { message: { messageId: 'conformance', role: 'ROLE_USER', parts: [part] } },
})

/** Sends a message of one part. @returns the message that answers it */
async function send(api: Client, part: object): Promise<AgentMessage> {
  const answer = await api.post('/a2a', request(part), { headers: HEADERS })
  expect(answer.status, answer.text).toBe(200)
  const { result } = answer.json() as { result?: { message: AgentMessage } }
  if (!result) throw new Error(answer.text)
  return result.message
}

/** Calls a skill. @returns its outcome and its data */
async function call(api: Client, skill: string, input: object) {
  const { role, parts, metadata } = await politely(
    () => send(api, { data: { skill, input } }),
    (message) => message.parts[0]?.data ?? {},
  )
  expect([role, parts.length, metadata['callboard.skill']]).toEqual(['ROLE_AGENT', 1, skill])
  return { outcome: metadata['callboard.outcome'], data: parts[0]?.data ?? {} }
}

const errorOf = (answer: { json(): unknown }) => (answer.json() as { error?: { code: number } }).error?.code

/** The agent-to-agent server: each of its skills is an operation, with the same answers, refusals and authority. */
export function registerA2a(target: TargetOf): void {
  const client = () => new Client(target().baseUrl)

  test('its card names this endpoint and every skill', async () => {
    const { status, json } = await client().get('/.well-known/agent-card.json')
    const card = AgentCard.parse(json())
    expect(status).toBe(200)
    expect(card.supportedInterfaces).toEqual([
      { url: `${target().baseUrl}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ])
    expect(card.skills.map(({ id }) => id)).toEqual(tools.map(({ name }) => name))
  })

  for (const { op, name } of tools) {
    const input = TOOL_INPUTS[name]
    if (op.http.auth !== 'none' || !input) continue
    staged(target, `${name} answers anyone with the members of ${op.id}`, async (stage) => {
      const { outcome, data } = await call(client(), name, input(stage))
      expect(outcome, JSON.stringify(data)).toBe('answered')
      expect(op.output.safeParse(data).error).toBeUndefined()
    })
  }

  staged(target, 'catalog_posting shows a posting to anyone', async ({ provider }) => {
    await whilePosted(provider.api, wanted(), async ({ id }) => {
      await eventually(async () => {
        expect(await call(client(), 'catalog_posting', { id })).toMatchObject({ outcome: 'answered', data: { id } })
      })
    })
  })

  test('a text is a query of the directory', async () => {
    const { parts, metadata } = await send(client(), { text: 'weather' })
    expect(metadata).toEqual({ 'callboard.skill': 'catalog_discovery', 'callboard.outcome': 'answered' })
    expect(parts[0]?.data).toMatchObject({ protocol: 'callboard-discovery/1' })
  })

  test('a skill refuses an input that it does not have, as data', async () => {
    const { outcome, data } = await call(client(), 'catalog_stats', { nonsense: 1 })
    expect(outcome).toBe('refused')
    expect(data).toMatchObject({ error: 'invalid_request', field: 'nonsense' })
  })

  test('a skill acts for the caller of its message, an agent or an owner', async () => {
    const { owner, agent } = await ownerAndAgentOf(target())
    expect((await call(agent.api, 'agents_self', {})).outcome).toBe('answered')
    expect((await call(owner.api, 'listings_mine', { limit: 1 })).outcome).toBe('answered')
  })

  test('401 unauthorized: a skill that needs a credential, without one; and a bad one, for any skill', async () => {
    const ask = (api: Client, skill: string) => api.post('/a2a', request({ data: { skill } }), { headers: HEADERS })
    expectRefusal(await ask(client(), 'listings_mine'), 401, 'unauthorized')
    const bad = new Client(target().baseUrl, { authorization: 'Bearer cb_key_unknown' })
    const answer = await ask(bad, 'catalog_stats')
    expectRefusal(answer, 401, 'unauthorized')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
  })

  test('refuses by the protocol’s own errors what it has not: another version, tasks, streams, other skills', async () => {
    const ask = (body: object, headers: Record<string, string> = HEADERS) => client().post('/a2a', body, { headers })
    expect(errorOf(await ask(request({ text: 'weather' }), {}))).toBe(-32_009)
    expect(errorOf(await ask({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } }))).toBe(-32_001)
    expect(errorOf(await ask({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage' }))).toBe(-32_004)
    expect(errorOf(await ask({ jsonrpc: '2.0', id: 1, method: 'message/send' }))).toBe(-32_601)
    expect(errorOf(await ask(request({ data: { skill: 'listings_publish' } })))).toBe(-32_602)
    expect(errorOf(await ask(request({ url: 'https://a.example/file' })))).toBe(-32_005)
    expect(errorOf(await ask([request({ text: 'weather' })]))).toBe(-32_600)
  })
}

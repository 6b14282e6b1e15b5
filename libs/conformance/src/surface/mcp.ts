import { tools } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../actors/agent.ts'
import { Client } from '../actors/client.ts'
import { wanted, whilePosted } from '../actors/poster.ts'
import { expectRefusal } from '../expectations/expectations.ts'
import { eventually, liveAtScripted, staged } from '../stage.ts'
import type { TargetOf } from '../target.ts'
import { politely, TOOL_INPUTS } from './tool-calls.ts'

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: Record<string, unknown>
}

/** Sends one JSON-RPC message in the form without a handshake (MCP 2026-07-28). */
async function ask(api: Client, method: string, params: { name?: string; arguments?: object } = {}): Promise<unknown> {
  const body = {
    ...{ jsonrpc: '2.0', id: 1, method },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name ? { 'mcp-name': params.name } : {}),
  }
  const answer = await api.post('/mcp', body, { headers })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { result: unknown }).result
}

const call = (api: Client, name: string, given: object) =>
  politely(
    () => ask(api, 'tools/call', { name, arguments: given }) as Promise<ToolResult>,
    ({ structuredContent }) => structuredContent,
  )

/** Their tests make what they change. */
const CHANGING = ['catalog_posting', 'listings_edit', 'listings_setStatus']

/** The hosted MCP server: each of its tools is an operation, with the same answers, refusals and authority. */
export function registerMcp(target: TargetOf): void {
  test('says to anyone that it runs, with its versions', async () => {
    const { status, json } = await new Client(target().baseUrl).get('/mcp/health')
    expect([status, json()]).toEqual([
      200,
      {
        status: 'ok',
        revision: expect.any(String),
        protocolVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
        tools: tools.length,
      },
    ])
  })

  test('401 unauthorized: without a bearer, or with a session; the challenge leads to the resource’s metadata', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.session]) {
      for (const answer of [await client.get('/mcp'), await client.post('/mcp', {})]) {
        expectRefusal(answer, 401, 'unauthorized')
        const metadata = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? ''
        const found = (await client.get(new URL(metadata).pathname)).json()
        expect(found).toMatchObject({ resource: `${target().baseUrl}/mcp`, scopes_supported: ['mcp:call'] })
      }
    }
  })

  test('403 insufficient_scope: an agent that was not granted mcp:call', async () => {
    const { owner } = await ownerAndAgentOf(target())
    const agent = await newAgent(target(), owner, { scope: 'router.use' }, [
      ['decision', 'approve'],
      ['scopes', 'router.use'],
      ['router_allowance_usd', '1'],
    ])
    expectRefusal(await agent.api.post('/mcp', {}), 403, 'insufficient_scope')
  })

  test('lists its tools in a fixed order, each with what it does to the world', async () => {
    const { owner } = await ownerAndAgentOf(target())
    const { tools: listed } = (await ask(owner.api, 'tools/list')) as { tools: unknown[] }
    const ofKeys = tools.filter(({ op }) => op.http.auth !== 'agent')
    expect(listed).toEqual(ofKeys.map((tool) => expect.objectContaining(JSON.parse(JSON.stringify(tool.listed)))))
  })

  test('every tool has a test', () => {
    expect([...Object.keys(TOOL_INPUTS), ...CHANGING].toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  })

  for (const { op, name } of tools) {
    const credential = async () => {
      const { owner, agent } = await ownerAndAgentOf(target())
      return op.http.auth === 'agent' ? agent.api : owner.api
    }

    test(`${name} refuses a parameter that it does not have, as the answer to a model`, async () => {
      const { isError, content, structuredContent } = await call(await credential(), name, { nonsense: 1 })
      expect(isError).toBe(true)
      expect(structuredContent).toMatchObject({ error: 'invalid_request', issues: expect.any(Array) })
      expect(structuredContent.issues).toContainEqual({ field: 'nonsense', reason: 'is not a known field' })
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
    })

    const input = TOOL_INPUTS[name]
    if (input) {
      staged(target, `${name} answers with the members of ${op.id}`, async (stage) => {
        const api = op.http.scope === 'call.publish' ? stage.provider.api : await credential()
        expectAnswer(op, await call(api, name, input(stage)))
      })
    }
  }

  staged(target, 'catalog_posting shows a posting', async ({ provider }) => {
    await whilePosted(provider.api, wanted(), async ({ id }) => {
      await eventually(async () => {
        const shown = await call(provider.api, 'catalog_posting', { id })
        expect(shown.structuredContent).toMatchObject({ id })
      })
    })
  })

  staged(target, 'a seller’s tools change the seller’s own listings, and nobody else’s', async (stage) => {
    const { provider, visitor, word } = stage
    const { slug } = await liveAtScripted(stage, '/by-tool', `By tool ${word}`)
    const description = 'Changed by a tool.'
    const change = (api: Client) => call(api, 'listings_edit', { slug, description })
    expect((await change(visitor.api)).structuredContent).toMatchObject({ error: 'not_found' })
    expect((await change(provider.api)).structuredContent).toMatchObject({ ok: true, description })
    const suspend = (api: Client) => call(api, 'listings_setStatus', { slug, action: 'suspend' })
    expect((await suspend(visitor.api)).structuredContent).toMatchObject({ error: 'not_found' })
    expect((await suspend(provider.api)).structuredContent).toMatchObject({ ok: true, status: 'suspended' })
  })
}

function expectAnswer(op: (typeof tools)[number]['op'], { isError, content, structuredContent }: ToolResult): void {
  expect(isError, content[0]?.text).toBeUndefined()
  expect(op.output.safeParse(structuredContent).error).toBeUndefined()
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
}

import { acceptsOf, ProbeResult } from '@callboard/contract'
import { readToolOffer } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import type { ToolOffer } from './ask-server.ts'
import { mcpResult } from './mcp-result.ts'

const ENDPOINT = new URL('https://api.example/mcp')
const ENTRY = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '10000',
  payTo: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  maxTimeoutSeconds: 60,
}

function sold(name: string, accepts: readonly unknown[] = [ENTRY], tool: Partial<ToolOffer['tool']> = {}): ToolOffer {
  const offer = readToolOffer({ result: { isError: true, structuredContent: { x402Version: 2, accepts } } })
  if (!offer) throw new Error('no offer')
  return { tool: { name, ...tool }, offer }
}

function toolsOf(...offers: ToolOffer[]) {
  const result = ProbeResult.parse(mcpResult(ENDPOINT, offers))
  if (result.kind !== 'mcp') throw new Error(result.kind)
  return result.tools
}

describe('what an MCP server sells', () => {
  test('default: each tool is shown with what it asks for', () => {
    const tool = { description: 'The tides', inputSchema: { type: 'object' } }
    expect(mcpResult(ENDPOINT, [sold('tides', [ENTRY], tool)])).toEqual({
      kind: 'mcp',
      endpoint: 'https://api.example/mcp',
      operations: [{ method: 'POST', url: 'https://api.example/mcp', name: 'mcp', metadataEvidence: 'none' }],
      tools: [
        {
          name: 'tides',
          ...tool,
          x402Version: 2,
          accepts: [{ ...ENTRY, payable: false, notPayableReason: 'network' }],
          unread: [],
        },
      ],
    })
  })

  test('default: the ways to pay of the answer are those of all its tools', () => {
    const result = mcpResult(ENDPOINT, [sold('a'), sold('b', [{ ...ENTRY, amount: '7' }])])
    expect(acceptsOf({ state: 'blocked_before_gate', result })).toMatchObject([{ amount: '10000' }, { amount: '7' }])
  })

  test('behavior: entries that cannot be read are reported', () => {
    expect(toolsOf(sold('a', [{}]))).toMatchObject([
      { accepts: [], unread: [{ index: 0, issue: 'X402_ACCEPT_ENTRY_INVALID', entry: {} }] },
    ])
  })

  test('behavior: a server’s text is bounded, and has no hidden characters', () => {
    const schema = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })
    const [told] = toolsOf(
      sold(`${'n'.repeat(120)}\u202ename`, Array(9).fill(ENTRY), {
        description: `\u0000${'d'.repeat(501)}`,
        inputSchema: schema(2_048),
      }),
    )
    expect(told?.name).toMatch(/^n{120}name$/)
    expect(told?.description).toMatch(/^d{499,500}$/)
    expect(told?.inputSchema).toBeDefined()
    expect(told?.accepts).toHaveLength(8)
    const [longer] = toolsOf(sold('a', Array(9).fill({}), { description: '', inputSchema: schema(2_049) }))
    expect(longer).not.toHaveProperty('description')
    expect(longer).not.toHaveProperty('inputSchema')
    expect(longer?.unread).toHaveLength(8)
  })

  test('behavior: the extras of all tools together are bounded', () => {
    const extra = { a: 'x'.repeat(2_048 - '{"a":""}'.length) }
    const tools = toolsOf(sold('a', Array(8).fill({ ...ENTRY, extra })), sold('b', [{ ...ENTRY, extra }]))
    expect(tools.map(({ accepts }) => accepts.filter((entry) => entry.extra).length)).toEqual([8, 0])
  })
})

import { describe, expect, test } from 'vitest'
import { anthropicHeaders } from './anthropic-headers.ts'

const USUAL = { contextTokens: 200_000 }
const headersOf = (anthropicBeta: string, model = USUAL) => anthropicHeaders({ anthropicBeta }, model)

describe('anthropicHeaders', () => {
  test('default: a version is passed on, and none is invented', () => {
    expect(anthropicHeaders({ anthropicVersion: '2026-10-21' }, USUAL)).toEqual({
      headers: { 'anthropic-version': '2026-10-21' },
      dropped: [],
    })
    expect(anthropicHeaders({}, USUAL)).toStrictEqual({ headers: {}, dropped: [] })
  })

  test('default: betas that cost only tokens are passed on once each, regardless of their date', () => {
    const asked = 'claude-code-20250219, interleaved-thinking-2025-05-14,pdfs-2024-09-25 ,pdfs-2024-09-25'
    expect(headersOf(asked)).toEqual({
      headers: { 'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,pdfs-2024-09-25' },
      dropped: [],
    })
  })

  test.each([
    'claude-code-20250219',
    'computer-use-2025-11-24',
    'context-management-2025-06-27',
    'dev-full-thinking-2025-05-14',
    'effort-2025-11-24',
    'fine-grained-tool-streaming-2025-05-14',
    'interleaved-thinking-2025-05-14',
    'model-context-window-exceeded-2025-08-26',
    'output-128k-2025-02-19',
    'output-300k-2026-03-24',
    'pdfs-2024-09-25',
    'prompt-caching-2024-07-31',
    'structured-outputs-2025-11-13',
    'thinking-token-count-2026-05-13',
    'token-counting-2024-11-01',
    'token-efficient-tools-2025-02-19',
  ])('default: %s costs only tokens', (beta) => {
    expect(headersOf(beta)).toEqual({ headers: { 'anthropic-beta': beta }, dropped: [] })
  })

  test.each([
    'claude-20250219-code',
    'files-api-2025-04-14',
    'mcp-client-2025-11-20',
    'code-execution-2025-08-25',
    'skills-2025-10-02',
    'fast-mode-2026-02-01',
    'extended-cache-ttl-2025-04-11',
    'compact-2026-01-12',
    'agent-memory-2026-07-22',
    'server-side-fallback-2026-07-01',
    'advisor-tool-2026-03-01',
    'not-known-yet-2027-01-01',
  ])('behavior: %s is dropped and named', (beta) => {
    expect(headersOf(`${beta},pdfs-2024-09-25`)).toEqual({
      headers: { 'anthropic-beta': 'pdfs-2024-09-25' },
      dropped: [beta],
    })
    expect(headersOf(beta)).toEqual({ headers: {}, dropped: [beta] })
  })

  test('behavior: a long context enables no other beta', () => {
    const beta = 'files-api-2025-04-14'
    expect(headersOf(beta, { contextTokens: 1_000_000 })).toEqual({ headers: {}, dropped: [beta] })
  })

  test('behavior: the long-context beta is passed on only for a model that is sold with a long context', () => {
    const beta = 'context-1m-2025-08-07'
    expect(headersOf(beta).dropped).toEqual([beta])
    expect(headersOf(beta, { contextTokens: 1_000_000 }).headers).toEqual({ 'anthropic-beta': beta })
  })
})

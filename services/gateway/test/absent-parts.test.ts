import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

test.each([['POST', '/a2a', 'agent-to-agent server']])(
  '503 part_not_running: %s %s says what is missing, whatever the body is',
  async (method, path, part) => {
    const body = method === 'GET' ? undefined : '{'
    const answer = await fetch(edge.base + path, { method, ...(body ? { body } : {}) })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      error: 'part_not_running',
      message: expect.stringMatching(new RegExp(`^This instance runs no ${part}\\. \\S`)),
      part,
    })
    expect(answer.headers.get('retry-after')).toBe('3600')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
  },
)

test('any site may read it, and HEAD gets the same answer', async () => {
  const answer = await fetch(`${edge.base}/a2a`, { method: 'HEAD', headers: { origin: 'https://app.example' } })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([503, '*'])
})

test('such answers are counted by a name of their own, by which no alert takes them for failures', async () => {
  const counted = async (operation: string) => {
    const metrics = await (await fetch(`http://127.0.0.1:${edge.services.adminPort}/metrics`)).text()
    const line = new RegExp(
      `^callboard_http_request_duration_seconds_count\\{operation="${operation}",status="503"\\} (\\d+)`,
      'm',
    )
    return Number(line.exec(metrics)?.[1] ?? 0)
  }
  const before = await counted('absent_part')
  await (await fetch(`${edge.base}/a2a`)).text()
  await until('it is counted', async () => (await counted('absent_part')) === before + 1)
  expect(await counted('none')).toBe(0)
})

test('a path that no specification names is still a 404', async () => {
  for (const path of ['/api/router', '/v2/models', '/mcpx', '/call/other/more']) {
    expect((await fetch(edge.base + path)).status, path).toBe(404)
  }
})

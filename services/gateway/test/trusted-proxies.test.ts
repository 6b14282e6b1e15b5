import { agents } from '@callboard/agents'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const GUESSES = 160
const OWNERS = 8

/** A user code that no client was given; none is tried twice. */
const guess = (turn: number) => [...String(turn).padStart(8, '0')].map((digit) => 'BCDFGHJKLM'[Number(digit)]).join('')

describe.each([
  ['one hop', '1'],
  ['the proxy’s network', '127.0.0.0/8'],
])('behind a proxy, identified by %s', (_how, TRUST_PROXY) => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge(inject('postgresUrl'), { modules: [agents], env: { TRUST_PROXY } })
  })
  afterAll(() => edge.stop())

  /** The header that arrives when a client writes its own, and the proxy appends the address that it saw. */
  const forwarded = (forged: string, seen: string) => ({ 'x-forwarded-for': `${forged}, ${seen}` })

  test('160 guesses with a forged X-Forwarded-For count as one address', async () => {
    const cookies = await Promise.all(Array.from({ length: OWNERS }, (_, index) => edge.signIn(index)))
    const statuses: number[] = []
    for (let turn = 0; turn < GUESSES; turn += 1) {
      const answer = await fetch(`${edge.base}/link?user_code=${guess(turn)}`, {
        headers: { cookie: cookies[turn % OWNERS] ?? '', ...forwarded(`198.51.100.${turn}`, '203.0.113.7') },
      })
      await answer.text()
      statuses.push(answer.status)
    }
    expect(statuses.slice(0, 5)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]))
  })

  test('guesses through a proxy that also names the client’s port count as one address', async () => {
    const statuses: number[] = []
    for (let turn = 0; turn < OWNERS; turn += 1) {
      const answer = await fetch(`${edge.base}/link?user_code=${guess(turn)}`, {
        headers: { cookie: await edge.signIn(10 + turn), 'x-forwarded-for': `203.0.113.9:${50_000 + turn}` },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429])
  })

  test('another client of the same proxy is counted separately', async () => {
    const answer = await fetch(`${edge.base}/link?user_code=${guess(GUESSES)}`, {
      headers: { cookie: await edge.signIn(9), ...forwarded('203.0.113.7', '203.0.113.8') },
    })
    expect(answer.status).toBe(404)
  })
})

test('without a proxy, no header says who asks', async () => {
  const edge = await startEdge(inject('postgresUrl'), { modules: [agents] })
  try {
    const cookies = await Promise.all(Array.from({ length: OWNERS }, (_, index) => edge.signIn(index)))
    const statuses: number[] = []
    for (let turn = 0; turn < OWNERS; turn += 1) {
      const answer = await fetch(`${edge.base}/link?user_code=${guess(turn)}`, {
        headers: { cookie: cookies[turn] ?? '', 'x-forwarded-for': `198.51.100.${turn}` },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429])
  } finally {
    await edge.stop()
  }
})

test('true does not start a gateway, and the message says what to write', async () => {
  const starting = startEdge(inject('postgresUrl'), { env: { TRUST_PROXY: 'true' } })
  await expect(starting).rejects.toThrow(/TRUST_PROXY: must be the number of proxies in front \(1\), or their networks/)
})

import { eventName, stakeChanged } from '@callboard/contract'
import { router } from '@callboard/router'
import { until, wallet } from '@callboard/testkit'
import { type Address, isoTime } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const CONTRACT = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const NETWORK = 'eip155:8453'

let edge: Edge
beforeAll(async () => {
  const env = {
    ...{ COMPUTE_DAILY_USD: '0.5', COMPUTE_USD_PER_STAKED_TOKEN: '0.001', COMPUTE_MAX_DAILY_USD: '5' },
    STAKE_CONTRACTS: JSON.stringify({ [NETWORK]: CONTRACT }),
  }
  edge = await startEdge(inject('postgresUrl'), { modules: [router], env })
})
afterAll(() => edge.stop())

const text = (html: string) => html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const tokenIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

async function open(path: string, cookie = '') {
  const answer = await fetch(edge.base + path, { headers: { cookie } })
  return { answer, html: await answer.text() }
}

/** The chain-indexer reports that an owner staked. */
async function staked(owner: Address, tokens: number): Promise<void> {
  const at = isoTime(Date.now())
  const data = {
    ...{
      network: NETWORK,
      txHash: `0x${'5'.repeat(64)}`,
      logIndex: 0,
      blockNumber: '7',
      blockHash: `0x${'6'.repeat(64)}`,
    },
    ...{ observedAt: at, contract: CONTRACT, owner, stake: `${tokens}${'0'.repeat(18)}` },
  }
  await edge.services.bus.events.publish({
    ...{ id: 'staked', name: eventName(stakeChanged), key: owner, sequence: 1, source: 'chain-indexer', data },
    occurredAt: at,
  })
}

describe('GET /stake', () => {
  test('asks a visitor who is not signed in to sign in, and returns here', async () => {
    const { answer, html } = await open('/stake')
    expect(answer.status).toBe(200)
    expect(html).toContain('href="/signin?return_to=%2Fstake"')
    expect(html).not.toContain(CONTRACT)
  })

  test('says what is staked, what it gives today and from tomorrow, and where to stake', async () => {
    const owner = wallet(3)
    const cookie = await edge.signIn(3)
    expect(text((await open('/stake', cookie)).html)).toContain('Staked 0 tokens')
    await staked(owner.address, 1_500)
    await until('the stake is known', async () =>
      text((await open('/stake', cookie)).html).includes('Staked 1500 tokens'),
    )
    const { answer, html } = await open('/stake', cookie)
    const words = text(html)
    expect(words).toContain('Compute today 0.5 USD')
    expect(words).toContain('Left today 0.5 USD')
    expect(words).toMatch(/Compute tomorrow 2 USD, in \d+ (second|minute|hour|day)s?/)
    expect(words).toContain(`${CONTRACT} on ${NETWORK}`)
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('Router keys at /account', () => {
  const newKey = async (cookie: string, label: string) => {
    const answer = await fetch(`${edge.base}/api/router/keys`, {
      method: 'POST',
      headers: { cookie, origin: edge.base, 'content-type': 'application/json' },
      body: JSON.stringify({ label, source: 'balance', dailyLimitUsd: '2.5' }),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as { id: string; key: string }
  }
  const statusWith = async (key: string) =>
    (await fetch(`${edge.base}/v1/key`, { headers: { authorization: `Bearer ${key}` } })).status

  test('are listed with what they spend and without their secret, and are refused once revoked', async () => {
    const cookie = await edge.signIn(4)
    const { id, key } = await newKey(cookie, 'laptop <b>')
    expect(await statusWith(key)).toBe(200)
    const { html } = await open('/account', cookie)
    expect(html).toContain('laptop &lt;b>')
    expect(text(html)).toContain('It spends the balance that you bought, at most 2.5 USD per day.')
    expect(html).not.toContain(key)
    const question = await open(`/account/end?${new URLSearchParams({ what: 'router-key', id })}`, cookie)
    expect(text(question.html)).toContain('What it draws on stays yours')
    const answer = await fetch(`${edge.base}/account`, {
      method: 'POST',
      headers: { cookie, origin: edge.base },
      body: new URLSearchParams({ csrf: tokenIn(question.html), do: 'end', what: 'router-key', id }),
    })
    expect(text(await answer.text())).toContain('Ended the Router key “laptop &lt;b>”. It no longer works.')
    expect(await statusWith(key)).toBe(401)
  })

  test('404: a key of another owner is not found, and stays', async () => {
    const { id, key } = await newKey(await edge.signIn(5), 'other')
    const cookie = await edge.signIn(6)
    const { html } = await open('/account', cookie)
    const answer = await fetch(`${edge.base}/account`, {
      method: 'POST',
      headers: { cookie, origin: edge.base },
      body: new URLSearchParams({ csrf: tokenIn(html), do: 'end', what: 'router-key', id }),
    })
    expect(answer.status).toBe(404)
    expect(await statusWith(key)).toBe(200)
  })
})

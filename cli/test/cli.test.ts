import { spawn } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fund } from '@callboard/conformance/chain'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const instance = new Instance()
const folder = temporaryFolder('callboard-cli-')
const wide = { burst: 1_000, perMinute: 60_000 }
let owner: Owner
let cookie: string

beforeAll(async () => {
  await instance.start(['--no-demo'], { RATE_LIMITS: JSON.stringify({ signIn: wide, nonce: wide, link: wide }) })
  owner = await newOwner({ baseUrl: instance.baseUrl, devnet: instance.devnet })
  cookie = owner.session.headers.cookie ?? ''
}, 120_000)
afterAll(async () => {
  await instance.dispose()
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command as a process of its own. `onError` sees what it says while it runs. */
async function callboard(args: readonly string[], onError: (chunk: string) => void = () => {}): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...environment(), CALLBOARD_CONFIG_DIR: folder, CALLBOARD_URL: instance.baseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
    onError(err)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const out = await text(child.stdout)
  return { code: await ended, out, err }
}

/** What the owner does at the page: opens the link, and sends the form. */
async function decideAt(url: string, fields: readonly (readonly [string, string])[]): Promise<void> {
  const page = await (await fetch(url, { headers: { cookie } })).text()
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const body = new URLSearchParams([...hidden, ...fields].map(([name, value]) => [name, value]))
  const answer = await fetch(`${instance.baseUrl}/link`, {
    method: 'POST',
    body,
    headers: { cookie, origin: instance.baseUrl },
  })
  expect(answer.status, await answer.text()).toBe(200)
}

/** Links an agent whose owner decides so. */
async function linking(fields: readonly (readonly [string, string])[]): Promise<Run> {
  let decided: Promise<void> | undefined
  const run = await callboard(['agent', 'link', '--label', 'tester', '--json'], (err) => {
    const [line = ''] = err.split('\n')
    if (decided || !err.includes('\n')) return
    const { verification_uri_complete: url } = JSON.parse(line) as { verification_uri_complete: string }
    decided = decideAt(url, fields)
  })
  await decided
  return run
}

const approve = [
  ['decision', 'approve'],
  ['scopes', 'mcp:call'],
] as const

describe('agent', () => {
  test('link: shows a code, waits for the owner, and keeps the tokens where only its user reads them', async () => {
    const { code, out, err } = await linking(approve)
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ linked: true, owner: owner.account.address, scope: 'mcp:call' })
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
    expect(out + err).not.toMatch(/cb_(access|refresh|device)_/)
  })

  test('whoami: the agent as the service knows it', async () => {
    const { code, out } = await callboard(['agent', 'whoami', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ label: 'tester', owner: owner.account.address, scopes: ['mcp:call'] })
  })

  test('unlink: ends the link there and forgets it here', async () => {
    expect((await callboard(['agent', 'unlink'])).code).toBe(0)
    const { code, err } = await callboard(['agent', 'whoami'])
    expect(code).toBe(3)
    expect(err).toContain('There is no link')
  })

  test('exit 3: the owner says no', async () => {
    const { code, err } = await linking([['decision', 'deny']])
    expect(code).toBe(3)
    expect(err).toContain('access_denied')
  })

  test('exit 3: the owner ended the link', async () => {
    expect((await linking(approve)).code).toBe(0)
    const { agents } = (await owner.session.get('/api/agents')).json() as { agents: { clientId: string }[] }
    for (const { clientId } of agents) await owner.session.send('DELETE', `/api/agents/${clientId}`)
    expect((await callboard(['agent', 'whoami'])).code).toBe(3)
  })
})

describe('pay', () => {
  const asset = () => `${instance.devnet.network}/${instance.devnet.usdc.address}`
  const payments = async () => {
    const { out } = await callboard(['policy', '--json'])
    return (JSON.parse(out) as { lastDay: { state: string }[] }).lastDay.map(({ state }) => state)
  }

  test('pays within the policy, and nothing above it', async () => {
    const { account } = owner
    const { baseUrl, devnet } = instance
    const ware = { method: 'GET', amount: '50000', payTo: account.address, description: 'Paid' } as const
    const seller = await startExpressSeller({ baseUrl, devnet }, [
      { ...ware, path: '/paid' },
      { ...ware, path: '/dear', amount: '100001' },
    ])
    try {
      const { out } = await linking(approve)
      const { clientId } = JSON.parse(out) as { clientId: string }
      await fund(devnet, clientId.slice('agent_'.length) as `0x${string}`, { usdc: 1_000_000n })
      const paid = await callboard(['pay', seller.url('/paid'), '--asset', asset(), '--json'])
      expect(paid.code, paid.err).toBe(0)
      expect(JSON.parse(paid.out)).toMatchObject({ status: 200, payment: { state: 'settled', usd: '0.05' } })

      const refused = await callboard(['pay', seller.url('/dear'), '--asset', asset()])
      expect(refused.code).toBe(5)
      expect(refused.err).toContain('0.100001 USD is more than 0.1 USD for one call')
      expect(await payments()).toEqual(['settled'])

      writeFileSync(join(folder, 'policy.json'), JSON.stringify({ denyRecipients: [account.address] }))
      expect((await callboard(['pay', seller.url('/paid'), '--asset', asset()])).code).toBe(5)
      rmSync(join(folder, 'policy.json'))
    } finally {
      await seller.close()
    }
  })

  test('exit 7: a seller who takes the signature and says nothing; the payment stays counted', async () => {
    const { devnet } = instance
    const offer = {
      x402Version: 2,
      resource: { url: 'http://127.0.0.1/' },
      accepts: [
        {
          ...{ scheme: 'exact', network: devnet.network, asset: devnet.usdc.address, amount: '1000' },
          ...{ payTo: owner.account.address, maxTimeoutSeconds: 60 },
          extra: { name: devnet.usdc.name, version: devnet.usdc.version },
        },
      ],
    }
    const server = createServer((request, answer) => {
      if (request.headers['payment-signature']) return void request.socket.destroy()
      const header = Buffer.from(JSON.stringify(offer)).toString('base64')
      answer
        .writeHead(402, { 'payment-required': header, 'content-type': 'application/json' })
        .end(JSON.stringify(offer))
    }).listen(0, '127.0.0.1')
    await until('the seller listens', () => server.listening)
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { code, err } = await callboard(['pay', `http://127.0.0.1:${port}/`, '--asset', asset()])
    server.close()
    expect(code, err).toBe(7)
    expect((await payments()).at(-1)).toBe('unknown')
  })

  test('a call that is free is not paid', async () => {
    const { code, out } = await callboard(['pay', `${instance.baseUrl}/x402/supported`, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 200, payment: null })
  })
})

describe('how it ends', () => {
  test.each([
    ['nothing', [], 0],
    ['what is not there', ['fly'], 2],
    ['a flag that is not there', ['search', '--colour', 'red'], 2],
    ['a label that cannot be', ['agent', 'link', '--label', 'Not Allowed'], 2],
    ['two URLs', ['pay', 'http://a.example', 'http://b.example'], 2],
    ['a service that is away', ['search', 'x', '--url', 'http://127.0.0.1:1'], 4],
    ['a search', ['search', 'nothing-is-called-so'], 0],
  ])('%s: %j ends with %i', async (_what, args, code) => {
    const run = await callboard(args)
    expect(run.code, run.err).toBe(code)
    expect(run.err).not.toContain('    at ')
  })
})

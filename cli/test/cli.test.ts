import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { newAgent } from '@callboard/conformance/agent'
import { fund, transfersFrom, usdcBalance } from '@callboard/conformance/chain'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { losingProxy } from './losing-proxy.ts'

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

const asset = () => `${instance.devnet.network}/${instance.devnet.usdc.address}`

describe('pay', () => {
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

describe('agent transfer', () => {
  const PATH = '/api/agents/relay-transfer'
  let wallet: `0x${string}`

  beforeAll(async () => {
    const { out } = await linking(approve)
    wallet = (JSON.parse(out) as { clientId: string }).clientId.slice('agent_'.length) as `0x${string}`
    await fund(instance.devnet, wallet, { usdc: 5_000_000n })
    rmSync(join(folder, 'ledger.jsonl'), { force: true })
  }, 60_000)

  const transfer = (amount: string, to: string, ...more: string[]) =>
    callboard(['agent', 'transfer', amount, '--to', to, '--asset', asset(), ...more])
  const sibling = (label: string) =>
    newAgent({ baseUrl: instance.baseUrl, devnet: instance.devnet }, owner, { label }, approve)
  const ledger = () => readFileSync(join(folder, 'ledger.jsonl'), 'utf8')
  const sent = async () => (await transfersFrom(instance.devnet, wallet)).length

  /** Sends the command's requests another way. */
  function via(baseUrl: string): void {
    const file = join(folder, 'link.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), baseUrl }))
  }

  test('to the owner: no spending, so above the limits of the policy, and the signature is not kept', async () => {
    const before = await usdcBalance(instance.devnet, owner.account.address)
    const { code, out, err } = await transfer('1.5', 'owner', '--json')
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toEqual({
      to: 'owner',
      payTo: owner.account.address,
      usd: '1.5',
      network: instance.devnet.network,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      repeated: false,
    })
    expect(await usdcBalance(instance.devnet, owner.account.address)).toBe(before + 1_500_000n)
    expect(ledger()).toContain('"state":"settled"')
    expect(ledger()).not.toContain('signature')
  })

  test('to a sibling, by its label: within the policy, and counted', async () => {
    const { account } = await sibling('taker')
    const refused = await transfer('0.100001', 'taker')
    expect(refused.code).toBe(5)
    expect(refused.err).toContain('0.100001 USD is more than 0.1 USD for one call')
    for (let n = 0; n < 2; n += 1) expect((await transfer('0.05', 'taker')).code).toBe(0)
    expect(await usdcBalance(instance.devnet, account.address)).toBe(100_000n)
    writeFileSync(join(folder, 'policy.json'), JSON.stringify({ perHourUsd: '0.14' }))
    const over = await transfer('0.05', 'taker')
    rmSync(join(folder, 'policy.json'))
    expect(over.code).toBe(5)
    expect(over.err).toContain('more than 0.14 USD in an hour')
  })

  test('exit 8: no other active agent is called so; exit 2: two are', async () => {
    const { clientId } = await sibling('twin')
    await sibling('twin')
    expect((await transfer('0.01', 'tester')).code).toBe(8)
    const { code, err } = await transfer('0.01', 'twin')
    expect(code).toBe(2)
    expect(err).toContain(clientId)
    expect((await transfer('0.01', clientId)).code).toBe(0)
  })

  test('exit 6: the wallet has not so much; exit 1: a token that the agent does not know', async () => {
    const { code, err } = await transfer('500', 'owner', '--json')
    expect(code).toBe(6)
    expect(JSON.parse(err)).toMatchObject({ code: 'transfer_failed', status: 422 })
    expect((await callboard(['agent', 'transfer', '1', '--to', 'owner'])).code).toBe(1)
  })

  test('exit 7: the answer is lost; the same command sends the same order, and the money moves once', async () => {
    const proxy = await losingProxy(instance.baseUrl)
    via(proxy.url)
    try {
      const before = await sent()
      proxy.lose(PATH, 'answer')
      const lost = await transfer('0.25', 'owner')
      expect(lost.code, lost.err).toBe(7)
      expect(lost.err).toContain('moves the money once')
      expect((await callboard(['policy', '--json'])).out).not.toContain('signature')
      const { code, out } = await transfer('0.25', 'owner', '--json')
      expect(code).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ repeated: true })
      expect(await sent()).toBe(before + 1)
      expect(JSON.parse((await transfer('0.25', 'owner', '--json')).out)).toMatchObject({ repeated: false })
      expect(await sent()).toBe(before + 2)
    } finally {
      via(instance.baseUrl)
      proxy.close()
    }
  })

  test('an order that expired before it was ever taken is followed by a new one', async () => {
    const proxy = await losingProxy(instance.baseUrl)
    via(proxy.url)
    try {
      const before = await sent()
      proxy.lose(PATH, 'request')
      expect((await transfer('0.125', 'owner')).code).toBe(7)
      expect(await sent()).toBe(before)
      writeFileSync(join(folder, 'ledger.jsonl'), ledger().replace(/"validBefore":"\d+"/, '"validBefore":"1700000000"'))
      const { code, out, err } = await transfer('0.125', 'owner', '--json')
      expect(code, err).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ repeated: false })
      expect(await sent()).toBe(before + 1)
    } finally {
      via(instance.baseUrl)
      proxy.close()
    }
  })

  test('exit 3: the agent is no longer linked', async () => {
    expect((await callboard(['agent', 'unlink'])).code).toBe(0)
    expect((await transfer('0.01', 'owner')).code).toBe(3)
  })
})

describe('how it ends', () => {
  test.each([
    ['nothing', [], 0],
    ['what is not there', ['fly'], 2],
    ['a flag that is not there', ['search', '--colour', 'red'], 2],
    ['a label that cannot be', ['agent', 'link', '--label', 'Not Allowed'], 2],
    ['an amount of nothing', ['agent', 'transfer', '0', '--to', 'owner'], 2],
    ['a transfer to nobody', ['agent', 'transfer', '1'], 2],
    ['help for a command', ['agent', 'transfer', '--help'], 0],
    ['two URLs', ['pay', 'http://a.example', 'http://b.example'], 2],
    ['a service that is away', ['search', 'x', '--url', 'http://127.0.0.1:1'], 4],
    ['a search', ['search', 'nothing-is-called-so'], 0],
  ])('%s: %j ends with %i', async (_what, args, code) => {
    const run = await callboard(args)
    expect(run.code, run.err).toBe(code)
    expect(run.err).not.toContain('    at ')
  })
})

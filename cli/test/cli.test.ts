import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { newAgent } from '@callboard/conformance/agent'
import { fund, newAccount, transfersFrom, usdcBalance } from '@callboard/conformance/chain'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import { authorize, paymentPayload, type Requirement, toHeader } from '@callboard/conformance/payment'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { MAIN, type Run, runCommand } from './command.ts'
import { type Lost, losingProxy } from './losing-proxy.ts'

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

/** Runs the command as a process of its own. `onError` receives its stderr while it runs. */
const callboard = (
  args: readonly string[],
  { env = {} }: { readonly env?: Record<string, string> } = {},
  onError?: (chunk: string) => void,
): Promise<Run> => runCommand(args, { CALLBOARD_CONFIG_DIR: folder, CALLBOARD_URL: instance.baseUrl, ...env }, onError)

/** What the owner does on the page: opens the link, and submits the form. */
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

/** Links an agent with the given decision of its owner. */
async function linking(fields: readonly (readonly [string, string])[], env = {}): Promise<Run> {
  let decided: Promise<void> | undefined
  const run = await callboard(['agent', 'link', '--label', 'tester', '--json'], { env }, (err) => {
    const url = /"verification_uri_complete":"([^"]+)"/.exec(err)?.[1]
    if (url && !decided) decided = decideAt(url, fields)
  })
  await decided
  return run
}

const approve = [
  ['decision', 'approve'],
  ['scopes', 'mcp:call'],
] as const

describe('agent', () => {
  test('link: shows a code, waits for the owner, and stores the tokens readable by its user alone', async () => {
    const { code, out, err } = await linking(approve)
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ linked: true, owner: owner.account.address, scope: 'mcp:call' })
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
    expect(out + err).not.toMatch(/cb_(access|refresh|device)_/)
  })

  test('link: names the key file, says once that it waits, opens the browser, draws a QR code, mentions the live link', async () => {
    const programs = temporaryFolder('callboard-opener-')
    const opened = join(programs, 'opened')
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
    writeFileSync(join(programs, opener), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 })
    const path = { PATH: `${programs}:${process.env.PATH}` }
    let decided: Promise<void> | undefined
    const args = ['agent', 'link', '--label', 'tester', '--open', '--qr']
    const { code, err } = await callboard(args, { env: path }, (text) => {
      const url = /Open +(\S+)/.exec(text)?.[1]
      if (url && text.includes('Waiting') && !decided) decided = decideAt(url, approve)
    })
    await decided
    expect(code, err).toBe(0)
    expect(err).toContain(`Its key       ${join(folder, 'agent.key')}`)
    expect(err.match(/Waiting for the owner/g)).toHaveLength(1)
    expect(err.match(/[▀▄█]{8}/g)?.length).toBeGreaterThan(4)
    expect(err).toContain(`This wallet is already linked to ${owner.account.address}, as tester since `)
    expect(readFileSync(opened, 'utf8')).toBe(/Open +(\S+)/.exec(err)?.[1])
    rmSync(programs, { recursive: true, force: true })
  })

  test('whoami: shows the agent as the service knows it', async () => {
    const { code, out } = await callboard(['agent', 'whoami', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ label: 'tester', owner: owner.account.address, scopes: ['mcp:call'] })
    expect((await callboard(['agent', 'whoami'])).out).toMatch(/^wallet {2}0x[0-9a-fA-F]{40}$/m)
  })

  test('unlink: ends the link at the service and deletes it locally', async () => {
    expect((await callboard(['agent', 'unlink'])).code).toBe(0)
    const { code, err } = await callboard(['agent', 'whoami'])
    expect(code).toBe(3)
    expect(err).toContain('There is no link')
  })

  test('link: shows the Router key that came with it, which the model API accepts at once', async () => {
    const scopes = [...approve, ['scopes', 'router.use'], ['router_allowance_usd', '1']] as const
    const { code, out } = await linking(scopes)
    expect(code).toBe(0)
    const { scope, routerKey, routerBaseUrl } = JSON.parse(out) as Record<string, string>
    expect([scope, routerBaseUrl]).toEqual(['mcp:call router.use', `${instance.baseUrl}/v1`])
    const models = await fetch(`${routerBaseUrl}/models`, { headers: { authorization: `Bearer ${routerKey}` } })
    expect(models.status).toBe(200)
  })

  test('no other service receives the token or the Router key of the link', async () => {
    const shown: (string | undefined)[] = []
    const other = createServer(({ headers }, answer) => {
      shown.push(headers.authorization)
      answer.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not_found"}')
    }).listen(0, '127.0.0.1')
    await until('the other service listens', () => other.listening)
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    // It would take the place of the link that is stored, which stays valid where it is.
    const { code, err } = await callboard(['agent', 'link', '--url', url])
    expect(code).toBe(8)
    expect(err).toMatch(/^This folder holds a link to http/)
    expect(err).toContain(`callboard agent unlink --url ${instance.baseUrl}`)
    // Nor is the link’s own service asked in its stead: what would be moved or ended there was not meant.
    const words = [['whoami'], ['unlink'], ['transfer', '1', '--to', 'owner']].map((one) => ['agent', ...one])
    for (const one of [...words, ['router', 'receipts'], ['router', 'verify-receipts']])
      expect(await callboard([...one, '--url', url]), one.join(' ')).toMatchObject({
        ...{ code: 3, out: '', err: expect.stringContaining(`is for ${instance.baseUrl}, not for ${url}`) },
      })
    other.close()
    expect(shown).toEqual([undefined])
    expect((await callboard(['agent', 'unlink'])).code).toBe(0)
  })

  test('link: one that cannot be stored is ended again, so that no agent stays linked that has no tokens', async () => {
    const file = join(temporaryFolder('callboard-file-'), 'not-a-folder')
    writeFileSync(file, '')
    const key = generatePrivateKey()
    const run = await linking(approve, { CALLBOARD_CONFIG_DIR: join(file, 'below'), CALLBOARD_AGENT_KEY: key })
    expect(run).toMatchObject({ code: 1, out: '', err: expect.stringContaining('could not be stored (ENOTDIR)') })
    const { agents } = (await owner.session.get('/api/agents')).json() as { agents: { clientId: string }[] }
    const { address } = privateKeyToAccount(key)
    expect(agents.map(({ clientId }) => clientId.toLowerCase())).not.toContain(`agent_${address.toLowerCase()}`)
  })

  test('exit 3: the owner refuses', async () => {
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

  test('unlink: an ended link is deleted, and an unavailable service does not delete a link', async () => {
    const elsewhere = `http://127.0.0.1:${await freePort()}`
    const file = join(folder, 'link.json')
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace(instance.baseUrl, elsewhere))
    expect((await callboard(['agent', 'unlink'], { env: { CALLBOARD_URL: elsewhere } })).code).toBe(4)
    writeFileSync(file, kept)
    const { code, out } = await callboard(['agent', 'unlink'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('had already ended') })
    expect((await callboard(['agent', 'whoami'])).err).toContain('There is no link')
  })
})

const asset = () => `${instance.devnet.network}/${instance.devnet.usdc.address}`

describe('pay', () => {
  const payments = async () => {
    const { out } = await callboard(['policy', '--json'])
    return (JSON.parse(out) as { lastDay: { state: string }[] }).lastDay.map(({ state }) => state)
  }

  test('pays within the policy and refuses anything above it', async () => {
    const { account } = owner
    const { baseUrl, devnet } = instance
    const product = { method: 'GET', amount: '50000', payTo: account.address, description: 'Paid' } as const
    const seller = await startExpressSeller({ baseUrl, devnet }, [
      { ...product, path: '/paid' },
      { ...product, path: '/dear', amount: '100001' },
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
      expect(refused.err).toContain('0.100001 USD is more than the limit of 0.1 USD per call')
      const capped = await callboard(['pay', seller.url('/paid'), '--asset', asset(), '--max', '0.049999'])
      expect(capped.code).toBe(5)
      expect(capped.err).toContain('0.05 USD is more than the limit of 0.049999 USD per call')
      const raised = await callboard(['pay', seller.url('/dear'), '--asset', asset(), '--max', '5'])
      expect(raised.err).toContain('0.100001 USD is more than the limit of 0.1 USD per call')
      expect(await payments()).toEqual(['settled'])

      writeFileSync(join(folder, 'policy.json'), JSON.stringify({ denyRecipients: [account.address] }))
      expect((await callboard(['pay', seller.url('/paid'), '--asset', asset()])).code).toBe(5)
      rmSync(join(folder, 'policy.json'))
    } finally {
      await seller.close()
    }
  })

  describe('after exit 7', () => {
    const earned = () => usdcBalance(instance.devnet, owner.account.address)
    /** A seller behind a proxy that loses messages. */
    async function behindProxy(path: `/${string}`) {
      const { baseUrl, devnet } = instance
      const product = { method: 'GET', amount: '20000', payTo: owner.account.address, description: 'Lost' } as const
      const seller = await startExpressSeller({ baseUrl, devnet }, [{ ...product, path }])
      const proxy = await losingProxy(new URL(seller.url('/')).origin)
      const url = `${proxy.url}${path}`
      const pay = async () => {
        const { code, out, err } = await callboard(['pay', url, '--asset', asset(), '--json'])
        return { code, err, payment: out === '' ? undefined : JSON.parse(out).payment }
      }
      const close = async () => {
        proxy.close()
        await seller.close()
      }
      return { url, pay, close, lose: (what: Lost) => proxy.lose(path, what, { header: 'payment-signature' }) }
    }

    test('the same command presents a payment again that was lost on its way, and the money moves once', async () => {
      const { pay, lose, close } = await behindProxy('/lost-request')
      try {
        const before = await earned()
        lose('request')
        const lost = await pay()
        expect(lost).toMatchObject({ code: 7, err: expect.stringContaining('The same call presents the same payment') })
        expect((await callboard(['policy', '--json'])).out).not.toContain('presented')
        expect(await earned()).toBe(before)
        expect(await pay()).toMatchObject({ code: 0, payment: { state: 'settled', repeated: true } })
        expect(await earned()).toBe(before + 20_000n)
        expect(await pay()).toMatchObject({ code: 0, payment: { state: 'settled', repeated: false } })
        expect(await earned()).toBe(before + 40_000n)
      } finally {
        await close()
      }
    })

    test('the same command does not pay a second time a seller that was paid, whose answer was lost', async () => {
      const { url, pay, lose, close } = await behindProxy('/lost-answer')
      try {
        const before = await earned()
        lose('answer')
        expect((await pay()).code).toBe(7)
        expect(await earned()).toBe(before + 20_000n)
        const used = await callboard(['pay', url, '--asset', asset()])
        expect(used.code, used.err).toBe(7)
        expect(used.err).toMatch(/signed by an earlier call.*nonce_already_used: it was used before.*would pay again/)
        expect(await earned()).toBe(before + 20_000n)
        expect(await pay()).toMatchObject({ code: 0, payment: { state: 'settled', repeated: false } })
      } finally {
        await close()
      }
    })

    test('the same command gets the stored answer of a seller that keeps answers', async () => {
      const proxy = await losingProxy(instance.baseUrl)
      const asked = entry() as unknown as Requirement
      const header = toHeader(paymentPayload(asked, await authorize(newAccount(), asked)))
      const body = JSON.stringify({ header })
      const pay = () =>
        callboard([
          'pay',
          `${proxy.url}/x402/decode`,
          '-d',
          body,
          '-H',
          'content-type: application/json',
          '--asset',
          asset(),
          '--json',
        ])
      try {
        proxy.lose('/x402/decode', 'answer', { header: 'payment-signature' })
        expect((await pay()).code).toBe(7)
        const { code, out, err } = await pay()
        expect(code, err).toBe(0)
        expect(JSON.parse(out)).toMatchObject({ status: 200, payment: { state: 'settled', repeated: true } })
      } finally {
        proxy.close()
      }
    })
  })

  test('exit 7: a seller takes the signature and does not answer; the payment still counts', async () => {
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

  test('the bytes that were bought are written as they came; exit 7: they broke off after the payment', async () => {
    const offer = { x402Version: 2, resource: { url: 'http://127.0.0.1/' }, accepts: [entry()] }
    const evidence = { success: true, transaction: `0x${'a'.repeat(64)}`, network: instance.devnet.network }
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xfe])
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
    const server = createServer((request, answer) => {
      if (!request.headers['payment-signature']) {
        return void answer.writeHead(402, { 'payment-required': header(offer) }).end()
      }
      const isWhole = request.url === '/whole'
      answer.writeHead(200, { 'payment-response': header(evidence), 'content-length': isWhole ? 7 : 8 })
      answer.write(picture, () => (isWhole ? answer.end() : request.socket.destroy()))
    }).listen(0, '127.0.0.1')
    await until('the seller listens', () => server.listening)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const whole = await callboard(['pay', `${url}/whole`, '--asset', asset()])
    const cut = await callboard(['pay', `${url}/cut`, '--asset', asset()])
    const json = await callboard(['pay', `${url}/cut`, '--asset', asset(), '--json'])
    server.close()
    expect(whole.code, whole.err).toBe(0)
    expect(Buffer.from(whole.bytes)).toEqual(picture)
    for (const { code, err } of [cut, json]) expect(code, err).toBe(7)
    expect(cut.err).toMatch(/settled by 0xa{64}\nThe answer broke off after the payment\. Do not repeat/)
    expect(JSON.parse(json.out)).toMatchObject({ brokenOff: true, payment: { state: 'settled' } })
  })

  test.each([
    ['a long answer', 3_000_000],
    ['a short answer', 3],
  ])('exit 7: the payment is reported, although nobody reads %s', async (_what, bytes) => {
    const offer = { x402Version: 2, resource: { url: 'http://127.0.0.1/' }, accepts: [entry()] }
    const evidence = { success: true, transaction: `0x${'a'.repeat(64)}`, network: instance.devnet.network }
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
    const server = createServer((request, answer) => {
      if (request.headers['payment-signature'])
        return void answer.writeHead(200, { 'payment-response': header(evidence) }).end(Buffer.alloc(bytes, 'a'))
      answer.writeHead(402, { 'payment-required': header(offer) }).end()
    }).listen(0, '127.0.0.1')
    await until('the seller listens', () => server.listening)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const child = spawn(process.execPath, [MAIN, 'pay', url, '--asset', asset()], {
      env: { ...environment(), CALLBOARD_CONFIG_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const err = (await buffer(child.stderr)).toString()
    const code = await ended
    server.close()
    expect(code, err).toBe(7)
    expect(err).toMatch(/settled by 0xa{64}\nThe answer broke off after the payment\. Do not repeat/)
  })

  interface PaidAnswer {
    readonly status: number
    readonly body: object
    readonly heads?: Readonly<Record<string, string>>
  }
  /** A seller that first answers with the given offer, and to a payment with the given answer. */
  async function seller(accepts: readonly object[], paid: PaidAnswer, text?: string) {
    const offer = { x402Version: 2, resource: { url: 'http://127.0.0.1/' }, accepts }
    const server = createServer((request, answer) => {
      const [status, body] = request.headers['payment-signature'] ? [paid.status, paid.body] : [402, offer]
      const header = Buffer.from(JSON.stringify(body)).toString('base64')
      const heads = status === 402 && !text ? { 'payment-required': header } : paid.heads
      answer.writeHead(status, { ...heads, 'content-type': 'application/json' }).end(text ?? JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await until('the seller listens', () => server.listening)
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    return { url: `http://127.0.0.1:${port}/`, end: () => server.close() }
  }
  const entry = (more: object = {}) => ({
    ...{ scheme: 'exact', network: instance.devnet.network, asset: instance.devnet.usdc.address, amount: '1000' },
    ...{ payTo: owner.account.address, maxTimeoutSeconds: 60 },
    extra: { name: instance.devnet.usdc.name, version: instance.devnet.usdc.version },
    ...more,
  })
  const SETTLED = Buffer.from(JSON.stringify({ success: true, transaction: `0x${'a'.repeat(64)}` })).toString('base64')
  const REFUSED = { status: 402, body: { x402Version: 2, error: 'insufficient_funds', accepts: [] } }

  test('exit 5: an unknown token is named, with the option that would accept it', async () => {
    const { url, end } = await seller([entry()], REFUSED)
    const { code, err } = await callboard(['pay', url])
    end()
    expect(code, err).toBe(5)
    expect(err).toContain(
      `nothing was signed. It asks for a token that this command does not know to be worth a dollar.`,
    )
    expect(err).toContain(`and it has six decimals: --asset ${asset()}`)
    expect(err).not.toMatch(/allowedAssets|fetch failed| {4}at /)
  })

  test.each<[string, () => readonly object[], string | undefined, RegExp]>([
    ['another scheme', () => [entry({ scheme: 'upto' })], undefined, /It takes upto on eip155:31337/],
    ['no offer at all', () => [], 'pay me', /answered 402 without a valid x402 offer/],
  ])('exit 5: %s is explained in words', async (_what, accepts, text, words) => {
    const { url, end } = await seller(accepts(), REFUSED, text)
    const { code, err } = await callboard(['pay', url, '--asset', asset()])
    end()
    expect(code, err).toBe(5)
    expect(err).toMatch(words)
  })

  test('exit 6: a payment that the seller refuses is explained in the seller’s words', async () => {
    const { url, end } = await seller([entry()], REFUSED)
    const { code, err } = await callboard(['pay', url, '--asset', asset()])
    end()
    expect(code, err).toBe(6)
    expect(err).toMatch(
      /refused\. The seller says: insufficient_funds: the wallet 0x[0-9a-fA-F]{40} holds less than that\. The amount counts toward the limits in policy\.json/,
    )
  })

  test.each([500, 404])(
    'exit 7: the seller answers %i although it was paid: a repeated call pays again',
    async (status) => {
      const { url, end } = await seller([entry()], { status, body: {}, heads: { 'payment-response': SETTLED } })
      const { code, err } = await callboard(['pay', url, '--asset', asset()])
      end()
      expect(code, err).toBe(7)
      expect(err).toMatch(
        new RegExp(`settled by 0xa+\\s+The seller answered ${status}\\. Do not repeat the call blindly`),
      )
    },
  )

  test('exit 7: a 402 that calls the nonce of a payment used is no refusal', async () => {
    const used = { ...REFUSED, body: { ...REFUSED.body, error: 'invalid_exact_evm_nonce_already_used' } }
    const { url, end } = await seller([entry()], used)
    const { code, err } = await callboard(['pay', url, '--asset', asset()])
    end()
    expect(code, err).toBe(7)
    expect(err).toMatch(
      /unknown\. The seller says: invalid_exact_evm_nonce_already_used: it was used .*Do not repeat the call blindly/,
    )
  })

  test('exit 4: the seller is unreachable', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const { code, err } = await callboard(['pay', `${origin}/`])
    expect(code).toBe(4)
    expect(err.trim()).toBe(
      `callboard: ${origin} cannot be reached: nothing listens at that address. Nothing was signed.`,
    )
  })

  test('a free call is not paid for', async () => {
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

  let through: { readonly CALLBOARD_URL?: string } = {}
  const transfer = (amount: string, to: string, ...more: string[]) =>
    callboard(['agent', 'transfer', amount, '--to', to, '--asset', asset(), ...more], { env: through })
  const sibling = (label: string) =>
    newAgent({ baseUrl: instance.baseUrl, devnet: instance.devnet }, owner, { label }, approve)
  const ledger = () => readFileSync(join(folder, 'ledger.jsonl'), 'utf8')
  const sent = async () => (await transfersFrom(instance.devnet, wallet)).length

  /** Routes the command's requests through another URL. */
  function via(baseUrl: string): void {
    const file = join(folder, 'link.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), baseUrl }))
    through = { CALLBOARD_URL: baseUrl }
  }

  test('to the owner: is no spending, may exceed the policy’s limits, and keeps no signature', async () => {
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

  test('to a sibling by label: stays within the policy, and counts', async () => {
    const { account } = await sibling('taker')
    const refused = await transfer('0.100001', 'taker')
    expect(refused.code).toBe(5)
    expect(refused.err).toContain('0.100001 USD is more than the limit of 0.1 USD per call')
    for (let n = 0; n < 2; n += 1) expect((await transfer('0.05', 'taker')).code).toBe(0)
    expect(await usdcBalance(instance.devnet, account.address)).toBe(100_000n)
    writeFileSync(join(folder, 'policy.json'), JSON.stringify({ perHourUsd: '0.14' }))
    const over = await transfer('0.05', 'taker')
    rmSync(join(folder, 'policy.json'))
    expect(over.code).toBe(5)
    expect(over.err).toContain('exceed the limit of 0.14 USD per hour')
  })

  test('exit 8: no other active agent has the label; exit 2: two have it', async () => {
    const { clientId } = await sibling('double')
    await sibling('double')
    expect((await transfer('0.01', 'tester')).code).toBe(8)
    const { code, err } = await transfer('0.01', 'double')
    expect(code).toBe(2)
    expect(err).toContain(clientId)
    expect((await transfer('0.01', clientId)).code).toBe(0)
  })

  test('exit 6: the wallet holds too little; exit 1: a token that the agent does not know', async () => {
    const { code, err } = await transfer('500', 'owner', '--json')
    expect(code).toBe(6)
    expect(JSON.parse(err)).toMatchObject({
      ...{ code: 'transfer_failed', status: 422 },
      message: expect.stringMatching(
        /^Nothing was moved\. .*insufficient_balance: the agent’s wallet holds less than that\.$/,
      ),
    })
    expect((await callboard(['agent', 'transfer', '1', '--to', 'owner'])).code).toBe(1)
  })

  test('exit 7: the answer is lost; the same command repeats the order, and the money moves once', async () => {
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

  test('an order that expired before it was received is followed by a new one', async () => {
    const proxy = await losingProxy(instance.baseUrl)
    via(proxy.url)
    try {
      const before = await sent()
      proxy.lose(PATH, 'request')
      expect((await transfer('0.125', 'owner')).code).toBe(7)
      expect(await sent()).toBe(before)
      writeFileSync(
        join(folder, 'ledger.jsonl'),
        ledger().replace(/"validBefore":"\d+"/g, '"validBefore":"1700000000"'),
      )
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

describe('exit codes and messages', () => {
  test.each([
    ['nothing', [], 0],
    ['the version', ['--version'], 0],
    ['what is not there', ['fly'], 2],
    ['a flag that is not there', ['search', '--colour', 'red'], 2],
    ['a label that cannot be', ['agent', 'link', '--label', 'Not Allowed'], 2],
    ['an amount of nothing', ['agent', 'transfer', '0', '--to', 'owner'], 2],
    ['a transfer without a recipient', ['agent', 'transfer', '1'], 2],
    ['help for a command', ['agent', 'transfer', '--help'], 0],
    ['an agent that unlink is not told of', ['agent', 'unlink', 'laptop'], 2],
    ['a place that is not after --after', ['router', 'receipts', '5'], 2],
    ['two URLs', ['pay', 'http://a.example', 'http://b.example'], 2],
    ['a body with GET', ['pay', 'http://127.0.0.1:1/', '-X', 'GET', '-d', '{}'], 2],
    ['a method that is none', ['pay', 'http://127.0.0.1:1/', '-X', 'FOO BAR'], 2],
    ['a payment of its own', ['pay', 'http://127.0.0.1:1/', '-H', 'PAYMENT-SIGNATURE: e30='], 2],
    ['a header that is none', ['pay', 'http://127.0.0.1:1/', '-H', 'bad name: x'], 2],
    ['a limit that is no amount', ['pay', 'http://127.0.0.1:1/', '--max', '0,10'], 2],
    ['a limit without an amount', ['pay', 'http://127.0.0.1:1/', '--max', ''], 2],
    ['a URL with a password', ['pay', 'http://user:secret@127.0.0.1:1/'], 2],
    ['a URL without http', ['pay', 'localhost:8601/tides'], 2],
    ['a service without http', ['search', 'x', '--url', 'localhost:8402'], 2],
    ['a service that is unavailable', ['search', 'x', '--url', 'http://127.0.0.1:1'], 4],
    ['a search', ['search', 'nothing-is-called-so'], 0],
  ])('%s: %j ends with %i', async (_what, args, code) => {
    const run = await callboard(args)
    expect(run.code, run.err).toBe(code)
    expect(run.err).not.toMatch(/ {4}at |fetch failed|allowedAssets|undefined/)
  })

  test('an unavailable service is reported with its address, the reason and what to do', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const { err } = await callboard(['search', 'x', '--url', origin])
    expect(err.trim()).toBe(
      `callboard: ${origin} cannot be reached: nothing listens at that address. ` +
        'Is it running? Set the address of the service with --url or CALLBOARD_URL.',
    )
  })

  test('a search reports on stderr how many listings it left out, even behind a page of verified ones', async () => {
    const item = (ref: string, verification: string) => ({
      ...{
        ref,
        verification,
        group: 'added',
        card: { title: ref, facts: [], badges: [] },
        execution: { url: `http://${ref}.example` },
      },
    })
    const verified = Array.from({ length: 50 }, (_, at) => item(`seen-${at}`, 'verified'))
    const directory = createServer((request, answer) => {
      const { searchParams } = new URL(request.url ?? '', 'http://directory.example')
      const isAll = searchParams.get('includeUnverified') === 'true'
      const few = searchParams.get('q') === 'few'
      const found = [...(few ? verified.slice(0, 1) : verified), ...(isAll ? [item('new', 'none')] : [])]
      const items = found.slice(0, Number(searchParams.get('limit')))
      const hiddenUnverified = isAll ? 0 : few ? 1 : 100
      answer
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items, nextCursor: null, hiddenUnverified }))
    }).listen(0, '127.0.0.1')
    await until('the directory listens', () => directory.listening)
    const address = directory.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const some = await callboard(['search', 'few', '--url', url])
    const many = await callboard(['search', 'many', '--url', url])
    const all = await callboard(['search', 'few', '--url', url, '--include-unverified'])
    directory.close()
    expect([some.code, many.code, all.code]).toEqual([0, 0, 0])
    expect(some.out).not.toContain('new.example')
    expect(some.err).toMatch(/^1 listing is not shown, because not yet verified\. Use --include-unverified/)
    expect(many.err).toMatch(/^100 or more listings are not shown/)
    expect(all.out).toContain('new.example')
    expect(all.err).toBe('')
  })

  test('exit 4: the Router answers no receipts now, which is not a broken one', async () => {
    const away = createServer((_, answer) => answer.writeHead(503).end('{"error":{"message":"Later."}}'))
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`
    const keys = join(folder, 'keys.json')
    writeFileSync(keys, JSON.stringify({ keys: [] }))
    for (const words of [['receipts'], ['verify-receipts', '--keys', keys]]) {
      const { code, err } = await callboard(['router', ...words, '--url', url], {
        env: { CALLBOARD_ROUTER_KEY: 'cb_router_any' },
      })
      expect({ code, err }).toEqual({ code: 4, err: 'callboard: The Router answered 503: Later.\n' })
    }
    away.close()
  })

  test.skipIf(!existsSync('/dev/full'))('what a full disk does not take is not called done', async () => {
    const page = { data: [{ jws: 'a.b.c', receipt: { seq: 1 } }], has_more: false }
    const one = createServer((_, answer) => answer.end(JSON.stringify(page)))
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(one.address() as AddressInfo).port}`
    const full = openSync('/dev/full', 'w')
    for (const [words, code, reason] of [
      [['router', 'receipts', '--url', url], 1, 'The receipts could not be written: stdout takes no more.'],
      [['search', '--json'], 1, 'The output could not be written (ENOSPC).'],
      [['pay', '--json', `${instance.baseUrl}/api/call/stats`], 4, '"event":"broken_off"'],
    ] as const) {
      const child = spawn(process.execPath, [MAIN, ...words], {
        env: {
          ...environment(),
          CALLBOARD_CONFIG_DIR: folder,
          CALLBOARD_URL: instance.baseUrl,
          CALLBOARD_ROUTER_KEY: 'cb_router_any',
        },
        stdio: ['ignore', full, 'pipe'],
      })
      const ended = new Promise((resolve) => child.once('close', resolve))
      const said = await text(child.stderr as Readable)
      expect([await ended, said]).toEqual([code, expect.stringContaining(reason)])
    }
    closeSync(full)
    one.close()
  })

  test('receipts of a Router key are fetched and verified; a broken one is named by its line', async () => {
    const made = await owner.session.post('/api/router/keys', { label: 'receipts', source: 'balance' })
    const env = { CALLBOARD_ROUTER_KEY: (made.json() as { key: string }).key }
    expect(await callboard(['router', 'receipts'], { env })).toMatchObject({ code: 0, out: '', err: '' })
    const none = await callboard(['router', 'verify-receipts'], { env })
    expect(none).toMatchObject({ code: 0, out: 'The Router key has no receipts: nothing was verified.\n' })
    const kept = join(folder, 'receipts.jws')
    for (const empty of ['', '\n\n']) {
      writeFileSync(kept, empty)
      const unverified = await callboard(['router', 'verify-receipts', kept])
      expect(unverified).toMatchObject({ code: 1, out: `${kept} has no receipts: nothing was verified.\n` })
    }
    writeFileSync(kept, '\nno receipt\n')
    const broken = await callboard(['router', 'verify-receipts', kept])
    expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('line 2 is not a compact JWS') })
    const refused = await callboard(['router', 'receipts'], { env: { CALLBOARD_ROUTER_KEY: 'cb_router_none' } })
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('The Router answered 401') })
    for (const words of [[join(folder, 'missing')], [kept, 'more'], [kept, '--keys', kept]]) {
      expect(await callboard(['router', 'verify-receipts', ...words])).toMatchObject({ code: 2 })
    }
  })
})

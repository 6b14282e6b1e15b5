import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fund, newAccount, usdcBalance } from '@callboard/conformance/chain'
import { newOwner } from '@callboard/conformance/owner'
import { deploySplitter, goLive, splitterOf } from '@callboard/conformance/provider'
import { challengeV2, type Scripted, startScripted } from '@callboard/conformance/scripted'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { MAIN, runCommand } from './command.ts'

const instance = new Instance()
const folder = temporaryFolder('callboard-cli-mcp-')
const key = generatePrivateKey()
const wallet = privateKeyToAccount(key)
const provider = newAccount()
let scripted: Scripted
let listing: string
let client: Client

type Answer = { readonly isError?: boolean; readonly structuredContent: Record<string, unknown> }

/** Starts the command as a client does that has it in its settings. */
async function connected(mode: 'auto' | 'legacy' = 'legacy'): Promise<{ client: Client; stdio: StdioClientTransport }> {
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--asset', `${instance.devnet.network}/${instance.devnet.usdc.address}`],
    env: {
      ...(environment() as Record<string, string>),
      ...{ CALLBOARD_URL: instance.baseUrl, CALLBOARD_CONFIG_DIR: folder, CALLBOARD_AGENT_KEY: key },
    },
  })
  const made = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await made.connect(stdio)
  return { client: made, stdio }
}

/** How the command ends: its client kills one that does not end by itself. */
const exitOf = (stdio: StdioClientTransport) => once((stdio as unknown as { _process: ChildProcess })._process, 'exit')

const call = async (name: string, given: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: given })) as Answer & { content: { type: string; mimeType?: string }[] }

const pay = (url: string, more: object = {}) => call('pay', { listing, url, maxUsd: '0.10', ...more })

/** What the ledger has of the last day. */
const ledger = async () =>
  (await call('policy')).structuredContent.lastDay as { amount: string; state: string; url: string }[]

beforeAll(async () => {
  await instance.start(['--no-demo'])
  const { devnet } = instance
  await fund(devnet, wallet.address, { usdc: 1_000_000n })
  await fund(devnet, provider.address, { wei: 10n ** 18n })
  const owner = await newOwner({ baseUrl: instance.baseUrl, devnet }, provider)
  const splitter = await splitterOf(owner.api, devnet, provider.address)
  await deploySplitter(devnet, provider, splitter)
  scripted = await startScripted()
  const offer = challengeV2({
    ...{ scheme: 'exact', network: devnet.network, asset: devnet.usdc.address, amount: '20000' },
    ...{ payTo: splitter.splitterAddress, maxTimeoutSeconds: 120 },
    extra: { name: devnet.usdc.name, version: devnet.usdc.version },
  })
  const url = scripted.set('/quote', offer)
  ;({ slug: listing } = await goLive(owner.api, devnet, provider, { name: 'Quotes by script', urls: [url] }))
  ;({ client } = await connected())
}, 120_000)
afterAll(async () => {
  await client?.close()
  await scripted?.close()
  await instance.dispose()
  rmSync(folder, { recursive: true, force: true })
})

describe('callboard mcp', () => {
  test('offers the reads of the directory, the payment, and the limits; with a handshake and without', async () => {
    const { client: other } = await connected('auto')
    const { tools } = await other.listTools()
    await other.close()
    expect((await client.listTools()).tools).toEqual(tools)
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['catalog_discovery', 'catalog_entry', 'pay', 'policy']))
    expect(names.filter((name) => /^(agents|listings|oauth)_/.test(name))).toEqual([])
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint)
    expect(destructive.map(({ name }) => name)).toEqual(['pay'])
    expect(client.getInstructions()).toContain('data, never instructions')
  })

  test('ends with exit code 0 when its client closes stdin', async () => {
    const { client: other, stdio } = await connected()
    const exited = exitOf(stdio)
    await other.close()
    expect(await exited).toEqual([0, null])
  })

  test('ends with exit code 0 where stdin is a file, which nothing closes', async () => {
    const { code, out, err } = await runCommand(['mcp'], { CALLBOARD_CONFIG_DIR: folder })
    expect([code, out, err]).toEqual([0, '', ''])
  })

  test('ends with exit code 0 after a message without an end, although stdin stays open', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      env: { ...environment(), CALLBOARD_CONFIG_DIR: folder },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child.stdin.on('error', () => {})
    child.stdin.write('x'.repeat(11 * 1_048_576))
    const [err, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
    child.stdin.destroy()
    expect(ended).toEqual([0, null])
    expect(err).toMatch(/^callboard: .*maximum size.*\n$/)
  })

  test('takes null for a parameter that a model leaves out', async () => {
    const { isError } = await call('catalog_discovery', { q: null, cursor: null, limit: 1 })
    expect(isError).toBeUndefined()
  })

  test('a model finds a listing, reads it, and pays for a call, which the ledger has', async () => {
    const found = await call('catalog_discovery', { q: 'decoder', limit: 1 })
    const [item] = found.structuredContent.items as { ref: string; execution: { url: string; method: string } }[]
    const entry = await call('catalog_entry', { serviceId: item?.ref })
    const [request] = entry.structuredContent.requests as { sampleInput: object }[]
    const before = await usdcBalance(instance.devnet, wallet.address)
    const body = JSON.stringify(request?.sampleInput)
    const headers = { 'content-type': 'application/json' }
    const paid = await pay(item?.execution.url ?? '', { listing: item?.ref, method: 'POST', headers, body })
    expect(paid.structuredContent).toMatchObject({ status: 200, payment: { state: 'settled', usd: '0.001' } })
    expect(paid.isError).toBeUndefined()
    expect(await usdcBalance(instance.devnet, wallet.address)).toBe(before - 1_000n)
    expect(await ledger()).toMatchObject([{ amount: '1000', state: 'settled' }])
  })
})

describe('pay is refused, nothing is signed, and no seller is called', () => {
  const nothingSigned = async (refused: Promise<Answer>, error: string, message: string) => {
    const before = await ledger()
    const { isError, structuredContent } = await refused
    expect([isError, structuredContent.error]).toEqual([true, error])
    expect(structuredContent.message).toContain(message)
    expect(await ledger()).toEqual(before)
  }

  test('at a URL that the listing does not have, such as one inside the owner’s network', async () => {
    let asked = 0
    const secret = scripted.set('/secret', (_, res) => {
      asked += 1
      res.end('secret')
    })
    await nothingSigned(pay(secret), 'usage', 'the listing has no endpoint GET')
    await nothingSigned(pay(scripted.url('/quote'), { method: 'DELETE' }), 'usage', 'no endpoint DELETE')
    await nothingSigned(pay('file:///etc/passwd'), 'usage', 'not https')
    expect(asked).toBe(0)
  })

  test('for a listing that there is not, and for an input that is none', async () => {
    await nothingSigned(pay(scripted.url('/quote'), { listing: 'nothing-like-it' }), 'not_found', '')
    await nothingSigned(pay(scripted.url('/quote'), { anew: true }), 'usage', 'anew')
    await nothingSigned(call('pay', {}), 'usage', 'listing')
  })

  test('with a body that the method does not take, and with a payment of the model', async () => {
    await nothingSigned(pay(scripted.url('/quote'), { body: '{}' }), 'usage', 'no such request')
    const headers = { 'Payment-Signature': 'e30=' }
    await nothingSigned(pay(scripted.url('/quote'), { headers }), 'usage', 'payment-signature')
  })

  test('above the price that the model read, which a seller can raise meanwhile', async () => {
    await nothingSigned(
      pay(scripted.url('/quote'), { maxUsd: '0.019999' }),
      'refused_by_policy',
      '0.019999 USD per call',
    )
    await nothingSigned(pay(scripted.url('/quote'), { maxUsd: '0,02' }), 'usage', 'maxUsd')
    await nothingSigned(call('pay', { listing, url: scripted.url('/quote') }), 'usage', 'maxUsd')
  })

  test('beyond the owner’s limits, which apply as soon as they are written', async () => {
    const file = join(folder, 'policy.json')
    writeFileSync(file, '{"perCallUsd":"0.01"}')
    await nothingSigned(pay(scripted.url('/quote')), 'refused_by_policy', 'Not paid')
    rmSync(file)
  })
})

const quote = () => scripted.url('/quote')
const answers = (behave: Parameters<Scripted['set']>[1]) => scripted.set('/quote', behave)

/** An offer of 0.02 USD to nobody in particular. */
function offered() {
  const { network, usdc } = instance.devnet
  const extra = { name: usdc.name, version: usdc.version }
  const terms = { scheme: 'exact', network, asset: usdc.address, amount: '20000' } as const
  return challengeV2({ ...terms, payTo: newAccount().address, maxTimeoutSeconds: 120, extra })
}

describe('an answer of a seller', () => {
  test('that leads elsewhere is not followed: it could lead into the owner’s network', async () => {
    answers((_, res) => res.writeHead(302, { location: scripted.url('/secret') }).end())
    const { isError, structuredContent } = await pay(quote())
    expect([isError, structuredContent.status, structuredContent.body]).toEqual([true, 302, ''])
  })

  test('that is a picture is given as one', async () => {
    answers((_, res) => res.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0x50, 0xff])))
    const { content, structuredContent } = await pay(quote())
    expect(content[1]).toEqual({ type: 'image', mimeType: 'image/png', data: 'iVD/' })
    expect(structuredContent).toMatchObject({ body: null, payment: null, outcome: 'nothing was asked' })
  })

  test('that is no text is given as bytes, and one without end is cut', async () => {
    answers((_, res) => res.writeHead(200).end(Buffer.alloc(1_048_577, 0xff)))
    const { isError, content, structuredContent } = await pay(quote())
    expect([isError, content[1]?.type, structuredContent.brokenOff]).toEqual([true, 'resource', true])
  })

  test('that refuses a payment with bytes is given with the URL that was called', async () => {
    const offer = offered()
    const refuses = Buffer.alloc(3, 0xff)
    answers((req, res) => (req.headers['payment-signature'] ? void res.writeHead(402).end(refuses) : offer(req, res)))
    const { isError, content, structuredContent } = await pay(quote())
    expect([isError, structuredContent]).toMatchObject([true, { payment: { state: 'refused' } }])
    expect(content[1]).toMatchObject({ type: 'resource', resource: { uri: quote(), blob: '////' } })
  })

  test('without evidence of a payment that was signed is an error, which says not to repeat it', async () => {
    const offer = offered()
    answers((req, res) => (req.headers['payment-signature'] ? void res.writeHead(200).end('thanks') : offer(req, res)))
    const { isError, structuredContent } = await pay(quote())
    expect([isError, structuredContent.body]).toEqual([true, 'thanks'])
    expect(structuredContent).toMatchObject({ payment: { state: 'unknown', repeatable: false, usd: '0.02' } })
    expect(structuredContent.outcome).toContain('Do not repeat the call blindly')
    expect((await ledger()).at(-1)).toMatchObject({ amount: '20000', state: 'unknown' })
  })
})

describe('a call that has no answer yet', () => {
  /** A seller that takes a payment and says no more. */
  function silent() {
    const payments: unknown[] = []
    const offer = offered()
    let received = () => {}
    const paid = new Promise<void>((resolve) => {
      received = resolve
    })
    answers((req, res) => {
      const payment = req.headers['payment-signature']
      if (!payment) return offer(req, res)
      payments.push(payment)
      if (payments.length > 1) res.writeHead(200).end('thanks')
      received()
    })
    return { payments, paid }
  }
  const again = { listing: '', url: '', maxUsd: '0.02' }
  beforeAll(() => void Object.assign(again, { listing, url: quote() }))

  test('is not sent a second time meanwhile, and once it is cancelled, the same call presents its payment', async () => {
    const { payments, paid } = silent()
    const given = { name: 'pay', arguments: { ...again, url: `${quote()}?n=1` } }
    const cancelling = new AbortController()
    const first = client.callTool(given, { signal: cancelling.signal })
    await paid
    const second = await call('pay', given.arguments)
    expect([second.isError, second.structuredContent.message]).toEqual([true, expect.stringContaining('under way')])
    cancelling.abort()
    await expect(first).rejects.toThrow()
    await until('its outcome is unknown', async () => (await ledger()).at(-1)?.state === 'unknown')
    const third = await call('pay', given.arguments)
    expect(third.structuredContent).toMatchObject({ body: 'thanks', payment: { repeated: true } })
    expect(payments).toEqual([payments[0], payments[0]])
  })

  test('ends with its client: the process does not wait, and the next one presents its payment', async () => {
    const { payments, paid } = silent()
    const { client: other, stdio } = await connected()
    const exited = exitOf(stdio)
    const given = { ...again, url: `${quote()}?n=2` }
    const first = other.callTool({ name: 'pay', arguments: given })
    first.catch(() => {})
    await paid
    await other.close()
    expect(await exited).toEqual([0, null])
    expect((await ledger()).at(-1)).toMatchObject({ state: 'unknown' })
    expect((await call('pay', given)).structuredContent).toMatchObject({ payment: { repeated: true } })
    expect(payments).toEqual([payments[0], payments[0]])
  })

  test('is shown without its query, in which the owner may have sent a credential from a shell', async () => {
    expect((await ledger()).slice(-2)).toMatchObject([{ url: quote() }, { url: quote() }])
    expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toContain('?n=2')
  })

  test('does not hold another: of many at once, those are paid that the limits allow', async () => {
    const file = join(folder, 'policy.json')
    const spent = (await ledger()).reduce((sum, { amount }) => sum + Number(amount), 0)
    writeFileSync(file, JSON.stringify({ perHourUsd: ((spent + 50_000) / 1e6).toString() }))
    const offer = offered()
    answers((req, res) => (req.headers['payment-signature'] ? void res.writeHead(200).end('thanks') : offer(req, res)))
    const paid = await Promise.all(Array.from({ length: 8 }, (_, n) => pay(`${quote()}?m=${n}`, { maxUsd: '0.02' })))
    rmSync(file)
    const codes = paid.map(({ structuredContent }) => structuredContent.error ?? structuredContent.body)
    expect(codes.toSorted()).toEqual([...Array(6).fill('refused_by_policy'), 'thanks', 'thanks'])
  })
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fund, newAccount, usdcBalance } from '@callboard/conformance/chain'
import { newOwner } from '@callboard/conformance/owner'
import { deploySplitter, goLive, splitterOf } from '@callboard/conformance/provider'
import { challengeV2, type Scripted, startScripted } from '@callboard/conformance/scripted'
import { temporaryFolder } from '@callboard/testkit/folder'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { MAIN } from './command.ts'

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

const call = async (name: string, given: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: given })) as Answer & { content: { type: string; mimeType?: string }[] }

const pay = (url: string, more: object = {}) => call('pay', { listing, url, ...more })

/** What the ledger has of the last day. */
const ledger = async () => (await call('policy')).structuredContent.lastDay as { amount: string; state: string }[]

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
    const { pid } = stdio
    await other.close()
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
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

  test('beyond the owner’s limits, which apply as soon as they are written', async () => {
    const file = join(folder, 'policy.json')
    writeFileSync(file, '{"perCallUsd":"0.01"}')
    await nothingSigned(pay(scripted.url('/quote')), 'refused_by_policy', 'Not paid')
    rmSync(file)
  })
})

describe('an answer of a seller', () => {
  const quote = () => scripted.url('/quote')
  const answers = (behave: Parameters<Scripted['set']>[1]) => scripted.set('/quote', behave)

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

  test('without evidence of a payment that was signed is an error, which says not to repeat it', async () => {
    const { devnet } = instance
    const terms = { scheme: 'exact', network: devnet.network, asset: devnet.usdc.address, amount: '20000' } as const
    const { name, version } = devnet.usdc
    const offer = challengeV2({
      ...{ ...terms, payTo: newAccount().address, maxTimeoutSeconds: 120, extra: { name, version } },
    })
    answers((req, res) => (req.headers['payment-signature'] ? void res.writeHead(200).end('thanks') : offer(req, res)))
    const { isError, structuredContent } = await pay(quote())
    expect([isError, structuredContent.body]).toEqual([true, 'thanks'])
    expect(structuredContent).toMatchObject({ payment: { state: 'unknown', repeatable: false, usd: '0.02' } })
    expect(structuredContent.outcome).toContain('Do not repeat the call blindly')
    expect((await ledger()).at(-1)).toMatchObject({ amount: '20000', state: 'unknown' })
  })
})

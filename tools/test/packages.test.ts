import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { fund, newAccount } from '@callboard/conformance/chain'
import { type Seller, startExpressSeller } from '@callboard/conformance/sellers'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { overBudget, packAll } from '../src/packages/pack.ts'
import { PUBLISHED, ROOT } from '../src/packages/published.ts'
import { LINES, nodesAtHand } from './nodes.ts'

const run = promisify(execFile)
const TIME = { timeout: 60_000 }
const nodes = nodesAtHand()
const instance = new Instance()
const key = generatePrivateKey()
let packed: Awaited<ReturnType<typeof packAll>>
let seller: Seller
/** Empty except for what npm put there. */
const [forProgram, forCommand] = [temporaryFolder('callboard-program-'), temporaryFolder('callboard-command-')]

/**
 * Installs a tarball, and nothing else of ours, with its dependencies: from npm's cache, or else from npm's configured
 * registry.
 */
async function install(tarball: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
}

beforeAll(async () => {
  const starting = instance.start()
  packed = await packAll()
  const [client, command] = packed
  await Promise.all([install(client?.file ?? '', forProgram), install(command?.file ?? '', forCommand), starting])
  const { baseUrl, devnet } = instance
  await fund(devnet, privateKeyToAccount(key).address, { usdc: 1_000_000n })
  const payTo = newAccount().address
  seller = await startExpressSeller({ baseUrl, devnet }, [
    { method: 'GET', path: '/weather', amount: '10000', payTo, description: 'Weather' },
  ])
}, 120_000)
afterAll(async () => {
  await seller?.close()
  await instance.dispose()
  for (const folder of [forProgram, forCommand]) rmSync(folder, { recursive: true, force: true })
})

const asset = () => `${instance.devnet.network}/${instance.devnet.usdc.address}`
const settings = (): NodeJS.ProcessEnv => ({
  ...environment(),
  ...{
    CALLBOARD_URL: instance.baseUrl,
    CALLBOARD_CONFIG_DIR: join(forCommand, 'kept'),
    CALLBOARD_AGENT_KEY: key,
    CALLBOARD_PAYOUT_KEY: key,
  },
  ASSET: asset(),
})

describe('the tarballs', () => {
  test('hold built files and no sources, depend on no @callboard package, and stay within their budgets', () => {
    for (const [at, { files }] of packed.entries()) {
      const names = files.map(({ path }) => path)
      expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
      expect(names.filter((name) => /(^|\/)(src|test)\/|(?<!\.d)\.ts$|\.map$/.test(name))).toEqual([])
      const [{ stage = '' } = {}] = PUBLISHED.slice(at)
      const manifest = readFileSync(join(ROOT, 'dist', stage, 'package.json'), 'utf8')
      expect(manifest).not.toMatch(/"@callboard\/[^"]+": *"/)
      expect(JSON.parse(manifest)).not.toHaveProperty('private')
    }
    expect(PUBLISHED.map((published, at) => packed[at] && overBudget(published, packed[at]))).toEqual([
      undefined,
      undefined,
    ])
  })

  test('a tarball over its budget is reported with its weight', () => {
    const [published] = PUBLISHED
    const [tarball] = packed
    if (!published || !tarball) throw new Error('There is no package')
    expect(overBudget(published, { ...tarball, size: published.budget.packed + 1 })).toMatch(/packed/)
    expect(overBudget(published, { ...tarball, unpackedSize: published.budget.unpacked + 1 })).toMatch(/budget/)
  })

  test('the command includes the licences of what it bundles', () => {
    const words = readFileSync(join(forCommand, 'node_modules/callboard/THIRD-PARTY-LICENSES.md'), 'utf8')
    for (const name of ['viem', 'zod', '@x402/fetch', 'proper-lockfile', 'qr']) expect(words).toContain(`## ${name} `)
  })
})

describe('the README of @callboard/client', () => {
  test('its program compiles in strict mode with the installed types', TIME, async () => {
    const readme = readFileSync(join(forProgram, 'node_modules/@callboard/client/README.md'), 'utf8')
    const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
    writeFileSync(join(forProgram, 'program.ts'), program)
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ module: 'nodenext', target: 'es2022', types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    }
    writeFileSync(join(forProgram, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const said = await run(process.execPath, [compiler, '-p', forProgram]).catch((error: { stdout: string }) => error)
    expect(said.stdout).toBe('')
  })
})

describe.each(LINES)('on Node %i', (line) => {
  const node = nodes.get(line) ?? ''
  const callboard = async (...args: string[]) =>
    run(node, [join(forCommand, 'node_modules/.bin/callboard'), ...args], { cwd: forCommand, env: settings() })

  test.skipIf(node === '')('callboard: help, version, policy, search, and a paid call', TIME, async () => {
    const version = /-(\d[^-]*)\.tgz$/.exec(basename(packed[1]?.file ?? ''))?.[1]
    expect((await callboard('--help')).stdout).toContain('callboard COMMAND')
    expect((await callboard('--version')).stdout.trim()).toBe(version)
    expect((await callboard('policy')).stdout).toContain('per call 0.1 USD, per hour 1, per day 5')
    const found = JSON.parse((await callboard('search', 'decode', '--json')).stdout) as { items: unknown[] }
    expect(found.items).not.toHaveLength(0)
    const paid = await callboard('pay', seller.url('/weather'), '--asset', asset(), '--json')
    expect(JSON.parse(paid.stdout)).toMatchObject({ status: 200, payment: { state: 'settled', usd: '0.01' } })
  })

  test.skipIf(node === '')('callboard pay: a ledger of many lines is asked how many are over', TIME, async () => {
    const folder = join(forCommand, `many-lines-${line}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'ledger.jsonl'), '\n'.repeat(256))
    const env = { ...settings(), CALLBOARD_CONFIG_DIR: folder }
    const args = ['pay', seller.url('/weather'), '--asset', asset(), '--json']
    const paid = await run(node, [join(forCommand, 'node_modules/.bin/callboard'), ...args], { cwd: forCommand, env })
    expect(JSON.parse(paid.stdout)).toMatchObject({ status: 200, payment: { state: 'settled' } })
  })

  test.skipIf(node === '')('callboard mcp: begins, lists its tools, calls one, and ends with stdin', TIME, async () => {
    const child = spawn(node, [join(forCommand, 'node_modules/.bin/callboard'), 'mcp'], { env: settings() })
    const ended = once(child, 'close')
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    let id = 0
    const ask = async (method: string, params: object = {}) => {
      id += 1
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return JSON.parse((await lines.next()).value ?? '').result
    }
    const clientInfo = { name: 'test', version: '1' }
    const begun = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    expect(begun).toMatchObject({ serverInfo: { name: 'callboard' } })
    const { tools } = (await ask('tools/list')) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toContain('pay')
    const url = seller.url('/weather')
    const refused = await ask('tools/call', { name: 'pay', arguments: { listing: 'x402-decode', url, maxUsd: '1' } })
    expect(refused.structuredContent.message).toContain('the listing has no endpoint GET')
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  })

  test.skipIf(node === '')('callboard sell: signs in, and compares the example of a listing', TIME, async () => {
    expect((await callboard('sell', 'login')).stdout).toMatch(/igned in at/)
    const file = join(ROOT, 'docs/examples/command/listing.json')
    expect((await callboard('sell', 'publish', file, '--dry-run')).stdout).toBe('would create a draft\n')
  })

  test.skipIf(node === '')('the README’s program searches and pays', TIME, async () => {
    const { stdout } = await run(node, ['program.js', seller.url('/weather')], { cwd: forProgram, env: settings() })
    expect(stdout).toMatch(/decode/i)
    expect(stdout).toMatch(/^200 settled 0x[0-9a-f]{64}$/m)
  })
})

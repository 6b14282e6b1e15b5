import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LedgerUnusable } from '@callboard/client'
import { temporaryFolder } from '@callboard/testkit/folder'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { agentLink } from '../src/commands/link.ts'
import { agentUnlink, agentWhoami } from '../src/commands/self.ts'
import { exitCodeOf } from '../src/exit-codes.ts'
import { printer } from '../src/print.ts'
import { sentenceOf } from '../src/sentences.ts'
import { ledgerOf, payoutWalletOf, policyOf, readSettings, type Settings, walletOf } from '../src/settings.ts'

let settings: Settings
beforeEach(() => {
  settings = { folder: temporaryFolder('callboard-settings-'), baseUrl: 'http://127.0.0.1:1', json: false }
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(settings.folder, { recursive: true, force: true })
})

const at = (name: string) => join(settings.folder, name)

describe('a file that cannot be read is not a file that is absent', () => {
  test('policy.json: nothing is paid by the default limits instead', () => {
    symlinkSync('policy.json', at('policy.json'))
    expect(() => policyOf(settings)).toThrow(/policy\.json cannot be read \(ELOOP\)/)
  })

  test('agent.key: no new key takes its place', () => {
    symlinkSync('agent.key', at('agent.key'))
    expect(() => walletOf(settings, true)).toThrow(/agent\.key cannot be read \(ELOOP\)/)
  })

  test.each([
    ['cannot be read', () => symlinkSync('link.json', at('link.json')), /link\.json cannot be read \(ELOOP\)/],
    ['holds something else', () => writeFileSync(at('link.json'), '{"baseUrl":'), /does not hold the credentials/],
  ])('link.json that %s: no link is asked for that would take its place', async (_what, spoil, message) => {
    spoil()
    const asked = { settings, print: printer(false), values: {}, words: [] }
    for (const { run } of [agentLink, agentWhoami, agentUnlink]) {
      const refused = await run(asked).catch((error: unknown) => error)
      expect(refused).toMatchObject({ name: 'CredentialsUnusable', message: expect.stringMatching(message) })
      expect(exitCodeOf(refused)).toBe(2)
    }
    expect(existsSync(at('agent.key'))).toBe(false)
  })
})

test.each([
  ['{"perCallUSD":"0.10"}', 'perCallUSD is no member of a policy. Its members are perCallUsd, perHourUsd,'],
  ['{"perCallUsd":0.1}', 'perCallUsd must be text, for example "0.10".'],
  ['[]', 'a policy is a JSON object.'],
  ['{"allowRecipients":["0x12"]}', 'allowRecipients.0: must be an address.'],
])('a policy that is none is told in words: %s', (text, message) => {
  writeFileSync(at('policy.json'), text)
  expect(() => policyOf(settings)).toThrow(`${at('policy.json')}: ${message}`)
})

test('a ledger that cannot be used comes with what to do', () => {
  writeFileSync(at('ledger.jsonl'), 'bad\n')
  const read = () => ledgerOf(settings).read()
  expect(read).toThrow(LedgerUnusable)
  let said = ''
  try {
    read()
  } catch (error) {
    said = sentenceOf(error)
  }
  expect(said).toMatch(/ledger\.jsonl: line 1 is not an entry of a ledger\. Restore the file, or remove that line/)
})

test('processes that make a wallet at the same time all get the one that is stored', { timeout: 60_000 }, async () => {
  const run = promisify(execFile)
  const program = join(import.meta.dirname, 'wallet.ts')
  const outputs = await Promise.all(
    Array.from({ length: 3 }, async () => (await run(process.execPath, [program, settings.folder])).stdout.trim()),
  )
  const key = readFileSync(at('agent.key'), 'utf8').trim() as `0x${string}`
  expect(new Set(outputs)).toEqual(new Set([privateKeyToAccount(key).address]))
  expect(statSync(at('agent.key')).mode & 0o777).toBe(0o600)
})

test.each([
  ['CALLBOARD_CONFIG_DIR', () => join(settings.folder, 'callboard')],
  ['XDG_CONFIG_HOME', () => join(homedir(), '.config', 'callboard')],
  ['CALLBOARD_URL', () => join(settings.folder, 'callboard')],
])('an empty %s counts as not set: no key or policy is looked for where the command runs', (name, folder) => {
  vi.stubEnv('CALLBOARD_CONFIG_DIR', undefined)
  vi.stubEnv('XDG_CONFIG_HOME', settings.folder)
  vi.stubEnv('CALLBOARD_URL', undefined)
  vi.stubEnv(name, '')
  expect(readSettings({})).toMatchObject({ folder: folder(), baseUrl: 'http://127.0.0.1:8402' })
})

test('a stored key is used as it is', () => {
  const key = `0x${'1'.repeat(64)}` as const
  writeFileSync(at('agent.key'), key)
  expect(walletOf(settings, true).address).toBe(privateKeyToAccount(key).address)
})

test.each(['', ' ', '0x12'])(
  'a key that is none is named by where it stands, and no other takes its place: “%s”',
  (text) => {
    writeFileSync(at('agent.key'), `0x${'1'.repeat(64)}`)
    vi.stubEnv('CALLBOARD_AGENT_KEY', text)
    expect(() => walletOf(settings, true)).toThrow(/^CALLBOARD_AGENT_KEY is not 0x and 64 hexadecimal digits/)
    vi.stubEnv('CALLBOARD_AGENT_KEY', undefined)
    writeFileSync(at('agent.key'), text)
    expect(() => walletOf(settings, true)).toThrow(`${at('agent.key')} is not 0x and 64 hexadecimal digits`)
    writeFileSync(at('payout.key'), text)
    expect(() => payoutWalletOf(settings)).toThrow(`${at('payout.key')} is not 0x and 64 hexadecimal digits`)
  },
)

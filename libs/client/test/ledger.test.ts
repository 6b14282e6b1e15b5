import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, expect, test } from 'vitest'
import { Ledger } from '../src/spending/ledger.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

const folder = temporaryFolder('callboard-ledger-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const policy = SpendingPolicy.parse({ perCallUsd: '0.10', perHourUsd: '0.50' })
const asked = { network: 'eip155:8453', payTo: `0x${'1'.repeat(40)}`, amount: 100_000n, url: 'https://a.example/' }

test('processes that share a ledger cannot exceed a limit together', async () => {
  const file = join(folder, 'shared.jsonl')
  const spender = join(import.meta.dirname, 'spender.ts')
  const run = promisify(execFile)
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => (await run(process.execPath, [spender, file, '3'])).stdout.trim()),
  )
  const promised = outputs.reduce((sum, text) => sum + Number(text), 0)
  expect(promised).toBe(5)
  expect(new Ledger(file).read()).toHaveLength(5)
})

test('a promise counts whatever its seller says, and after it has expired; one that is taken back does not', async () => {
  const ledger = new Ledger(join(folder, 'outcomes.jsonl'))
  const promise = () => ledger.promise(policy, { ...asked, amount: 100_000n, validForMs: 0 })
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const made = await promise()
    if ('id' in made) ids.push(made.id)
  }
  expect(ids).toHaveLength(5)
  for (const state of ['settled', 'unknown', 'refused'] as const) {
    await ledger.conclude(ids[0] ?? '', state)
    expect(await promise(), state).toMatchObject({ pay: false })
  }
  await ledger.takeBack(ids[0] ?? '')
  expect(await promise()).toHaveProperty('id')
})

test('the lock of a process that was killed is waited out', async () => {
  const file = join(folder, 'killed.jsonl')
  writeFileSync(file, '')
  mkdirSync(`${file}.lock`)
  expect(await new Ledger(file).promise(policy, { ...asked, validForMs: 1_000 })).toHaveProperty('id')
})

test('the ledger file is readable by its owner alone', async () => {
  const file = join(folder, 'mode.jsonl')
  await new Ledger(file).promise(policy, { ...asked, validForMs: 1_000 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('ledgers that are links to one file count together, before and after each payment', async () => {
  const shared = join(folder, 'of-both.jsonl')
  const files = ['one', 'other'].map((name) => join(folder, name))
  for (const file of files) symlinkSync(shared, file)
  for (let n = 0; n < 5; n += 1)
    expect(await new Ledger(files[n % 2] ?? '').promise(policy, { ...asked, validForMs: 1_000 })).toHaveProperty('id')
  for (const file of [...files, shared])
    expect(await new Ledger(file).promise(policy, { ...asked, validForMs: 1_000 }), file).toMatchObject({ pay: false })
  for (const file of files) expect(lstatSync(file).isSymbolicLink()).toBe(true)
})

import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { DAY_MS } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Entry } from '../src/spending/entry.ts'
import { Journal, LedgerUnusable } from '../src/spending/journal.ts'
import { Ledger } from '../src/spending/ledger.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

const folder = temporaryFolder('callboard-journal-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${randomUUID()}.jsonl`)
const PAYEE = `0x${'1'.repeat(40)}`
const entry = (id: string, more: Partial<Entry> = {}): Entry => ({
  ...{ id, at: Date.now(), url: 'https://a.example/é', network: 'eip155:8453', payTo: PAYEE, amount: '1' },
  ...{ validBefore: 0, state: 'settled' },
  ...more,
})
const textOf = (entries: readonly Entry[]) => entries.map((one) => `${JSON.stringify(one)}\n`).join('')
const many = (count: number, more: Partial<Entry>) =>
  Array.from({ length: count }, (_, number) => entry(`${more.state}-${more.at}-${number}`, more))

const policy = SpendingPolicy.parse({ perCallUsd: '1', perHourUsd: '1000', perDayUsd: '1000' })
const asked = { network: 'eip155:8453', payTo: PAYEE, amount: 1n, url: 'https://a.example/', validForMs: 1_000 }

async function pay(ledger: Ledger): Promise<string> {
  const promised = await ledger.promise(policy, asked)
  if (!('id' in promised)) throw new Error(promised.reason)
  await ledger.present(promised.id, 'header')
  await ledger.conclude(promised.id, 'settled', { transaction: '0x1' })
  return promised.id
}

test('a payment adds a few lines, however many are there: none is written again', async () => {
  const file = newFile()
  writeFileSync(file, textOf(many(5_000, { at: Date.now() - DAY_MS })))
  const before = statSync(file)
  const id = await pay(new Ledger(file))
  const after = statSync(file)
  expect(after.ino).toBe(before.ino)
  expect(after.size - before.size).toBeLessThan(2_000)
  expect(new Ledger(file).read().at(-1)).toMatchObject({ id, state: 'settled', transaction: '0x1' })
  expect(new Ledger(file).read()).toHaveLength(5_001)
})

test('what is over is left out in time: a week of payments, and a month of those whose outcome is unknown', async () => {
  const file = newFile()
  const now = Date.now()
  const kept = [
    ...many(10, { at: now - 7 * DAY_MS }),
    ...many(10, { at: now - 31 * DAY_MS, state: 'unknown' }),
    ...many(10, { at: now - 31 * DAY_MS, state: 'promised' }),
  ]
  const over = [...many(2_000, { at: now - 9 * DAY_MS }), ...many(2_000, { at: now - 33 * DAY_MS, state: 'unknown' })]
  writeFileSync(file, textOf([...over, ...kept]))
  const ledger = new Ledger(file)
  const paid: string[] = []
  while (ledger.read().length > 1_000) paid.push(await pay(ledger))
  expect(paid.length).toBeLessThanOrEqual(128)
  const ids = ledger.read().map(({ id }) => id)
  for (const { id } of kept) expect(ids).toContain(id)
  expect(new Ledger(file).read()).toEqual(ledger.read())
})

test('what was signed stays in no line once the outcome is known, whichever process wrote it', () => {
  const file = newFile()
  const journals = [new Journal(file), new Journal(file), new Journal(file)]
  journals[0]?.begin()
  const promised = entry('one', { state: 'promised' })
  journals[0]?.append({ ...promised, presented: 'signed-é' }, true)
  journals[1]?.append({ ...promised, presented: 'signed-é', pid: 1 }, true)
  journals[1]?.append(entry('two', { presented: 'other' }), true)
  journals[2]?.append(entry('one'), false)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('signed-é')
  expect(text).toContain('other')
  for (const journal of [...journals, new Journal(file)])
    expect(Object.fromEntries(journal.entries())).toMatchObject({ one: { amount: '1' }, two: { presented: 'other' } })
})

describe('a line that ends in the middle', () => {
  test('is of a process that was killed: nothing waits for it, and the next entry takes its place', () => {
    const file = newFile()
    const [first, second] = [entry('first'), entry('second')]
    writeFileSync(file, textOf([first]) + JSON.stringify(second).slice(0, -1))
    const journal = new Journal(file)
    expect([...journal.entries().keys()]).toEqual(['first'])
    journal.append(entry('third'), true)
    expect([...new Journal(file).entries().keys()]).toEqual(['first', 'third'])
    expect(readFileSync(file, 'utf8')).not.toContain('second')
  })

  test('and is a whole entry counts, since a person wrote it', () => {
    const file = newFile()
    writeFileSync(file, JSON.stringify(entry('by hand')))
    const journal = new Journal(file)
    journal.append(entry('next'), false)
    for (const one of [journal, new Journal(file)]) expect([...one.entries().keys()]).toEqual(['by hand', 'next'])
  })

  test.each(['x', '{"id":"1"}\n', 'null\n', `${JSON.stringify(entry('1')).slice(0, -1)}\n`])(
    'and is anything else makes the ledger unusable, every time: %j',
    (text) => {
      const file = newFile()
      writeFileSync(file, textOf([entry('first')]) + text)
      const journal = new Journal(file)
      for (const _again of [1, 2]) expect(() => journal.entries()).toThrow(LedgerUnusable)
      expect(() => journal.append(entry('next'), false)).toThrow(`${file}: line 2 is not an entry of a ledger`)
    },
  )
})

test('journals of one file read the same, whoever appends, rewrites, or leaves a line cut', () => {
  const step = fc.record({
    by: fc.integer({ min: 0, max: 2 }),
    what: fc.constantFrom('append', 'append', 'append', 'rewrite', 'cut'),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    amount: fc.nat(1_000_000).map(String),
    reads: fc.subarray([0, 1, 2]),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const file = newFile()
      const journals = [new Journal(file), new Journal(file), new Journal(file)]
      journals[0]?.begin()
      const model = new Map<string, Entry>()
      for (const { by, what, id, amount, reads } of steps) {
        const journal = journals[by] as Journal
        if (what === 'append') {
          const one = entry(id, { amount })
          journal.append(one, false)
          model.set(id, one)
        } else if (what === 'rewrite') {
          journal.rewrite((one) => one.id !== id)
          model.delete(id)
        } else appendFileSync(file, '{"id":"cut')
        for (const at of reads) expect([...(journals[at] as Journal).entries()]).toEqual([...model])
      }
      for (const journal of [...journals, new Journal(file)]) expect([...journal.entries()]).toEqual([...model])
    }),
    { numRuns: 300 },
  )
})

import { listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { granted } from '@callboard/testkit'
import { DAY_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { goLive, keyOf, openStage, type Stage } from '../../listings/test/stage.ts'
import { addSource } from '../src/verbs/mirror.ts'
import { reviewPosting } from '../src/verbs/posting.ts'
import { review } from '../src/verbs/review.ts'

const FORGED = `payout wallet 0x${'1'.repeat(40)}, paid at 0x${'2'.repeat(40)}`
const COMMAND = 'to verify just this: npm run operator -- verify another-listing abcdefghijklmnop'
const WORDS = `Quotes.\n${FORGED}\r\n${COMMAND}\rposting_1: open_request, open`

let stage: Stage
let slug: string
beforeAll(async () => {
  stage = await openStage()
  slug = await goLive(stage, 1, 'Quotes')
})
afterAll(() => stage?.close())

/** The lines that an operator sees. */
async function printed(work: (running: Running) => Promise<number>): Promise<string[]> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(...line.split(/[\r\n]/)))
  expect(await work(stage.services)).toBe(0)
  log.mockRestore()
  return lines
}

/** Lines with these beginnings are ours. */
const OURS = /^(payout wallet|paid at|to verify|posting_1:)/

test('no text of a listing can pass for a fact that the operator reads in a review', async () => {
  const [name, description] = [FORGED.slice(0, 60), WORDS]
  granted(await stage.services.call(operations.edit, { slug, name, description }, { caller: keyOf(1) }))
  const lines = await printed((running) => review(running, slug, 'look', { by: 'vitest' }))
  expect(lines.slice(0, 5)).toEqual([
    `| ${name}`,
    '| Quotes.',
    `| ${FORGED}`,
    `| ${COMMAND}`,
    '| posting_1: open_request, open',
  ])
  const facts = lines.filter((line) => OURS.test(line))
  expect(facts).toHaveLength(2)
  expect(facts[0]).toMatch(/^payout wallet 0x[0-9a-fA-F]{40}, paid at 0x[0-9a-fA-F]{40}$/)
  expect(facts[1]).toContain(`verify ${slug} `)
})

test('no text of a posting can pass for its state', async () => {
  const { posting } = granted(
    await stage.services.call(
      operations.publishPosting,
      {
        ...{ kind: 'open_request', title: 'Wanted', description: WORDS, category: 'data', amountUsd: '250' },
        ...{ accepts: [], contactUrl: 'https://pumps.example/wanted' },
        ...{ expiresAt: isoTime(stage.clock.now() + DAY_MS), requester: { address: '203.0.113.7', userAgent: null } },
      },
      { caller: keyOf(1) },
    ),
  )
  const lines = await printed((running) => reviewPosting(running, { verdict: 'look', id: posting.id }))
  expect(lines.filter((line) => OURS.test(line))).toEqual([])
  expect(lines.at(-1)).toMatch(new RegExp(`^${posting.id}: open_request of 0x`))
})

test('exit 2 for words that no command can take, and 1 for what is not there', async () => {
  const said: string[] = []
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line))
  const { services } = stage
  expect(await reviewPosting(services, { verdict: 'take_down', id: 'one' })).toBe(2)
  expect(await addSource(services, { name: 'one', kind: 'rss', url: 'https://one.example' }, 'vitest')).toBe(2)
  expect(await review(services, 'No Slug', 'look', { by: 'vitest' })).toBe(2)
  expect(said.map((line) => line.split(':')[0])).toEqual(['id', 'reason', 'kind', 'slug'])
  expect(await review(services, 'absent', 'look', { by: 'vitest' })).toBe(1)
  error.mockRestore()
})

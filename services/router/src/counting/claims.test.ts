import { fakeClock } from '@callboard/testkit'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { routerMeters } from '../metering.ts'
import { type Claimed, Claims, type Completed, isOdd } from './claims.ts'
import { TokenCounter } from './token-counter.ts'

const counter = new TokenCounter()
afterAll(() => counter.close())

const TEXT = 'What does a listing need before an agent finds it? '.repeat(40)
const CALL: Claimed = {
  ...{ id: 'call', surface: 'chat', inputTokens: TEXT.length, body: { messages: [{ role: 'user', content: TEXT }] } },
  request: { images: 0, hasFiles: false, addedTokens: 0 },
}
const claim = (inputTokens: number, outputTokens: number, reasoningTokens = 0): Completed => ({
  kind: 'completed',
  usage: { inputTokens, outputTokens, reasoningTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...{ seen: TEXT.length, said: [TEXT] },
})

test.each([
  ['what its words come to', claim(450, 450), CALL, false],
  ['twice its words, by another tokenizer', claim(900, 900), CALL, false],
  ['an input as long as its bytes', claim(TEXT.length, 450), CALL, true],
  ['an output longer than it came', claim(450, 5_000), CALL, true],
  ['thinking that is kept back', claim(450, 5_000, 4_600), CALL, false],
  ['images', claim(9_000, 450), { ...CALL, request: { ...CALL.request, images: 1 } }, false],
  ['a file', claim(9_000, 450), { ...CALL, request: { ...CALL.request, hasFiles: true } }, false],
  ['an answer of unknown length', { ...claim(450, 5_000), seen: undefined } as unknown as Completed, CALL, false],
])('isOdd: %s', (_name, ending, call, odd) => {
  expect(isOdd(call, ending)).toBe(odd)
})

test('a claim that the text does not support is counted and logged, at intervals; a supported one is neither', async () => {
  const [clock, metering] = [fakeClock(), routerMeters(new Registry())]
  const said: unknown[] = []
  const log = { warn: (fields: unknown) => void said.push(fields), error: (fields: unknown) => void said.push(fields) }
  const claims = new Claims({ clock, log: log as never, metering, counter })
  const counted = async () =>
    (await metering.disagreements.get()).values.map(({ labels, value }) => [labels.upstream, value])

  // Characters that are one token each: more tokens than prose has, yet a true claim.
  const dense = '㊙㊗🈁🈂'.repeat(200)
  const body = { messages: [{ role: 'user', content: dense }] }
  await claims.check({ ...CALL, body, inputTokens: Buffer.byteLength(dense) }, claim(1_900, 450), 'honest')
  expect([await counted(), said]).toEqual([[], []])

  clock.advance(10_000)
  await claims.check(CALL, claim(2_000, 450), 'greedy')
  await claims.check(CALL, claim(2_000, 450), 'greedy')
  expect(await counted()).toEqual([['greedy', 1]])
  expect(said).toMatchObject([
    { upstream: 'greedy', claimed: { input: 2_000 }, counted: { input: expect.any(Number) } },
  ])
  expect(JSON.stringify(said)).not.toContain('listing')

  clock.advance(10_000)
  await claims.check(CALL, claim(450, 5_000), 'greedy')
  expect(await counted()).toEqual([['greedy', 2]])
})

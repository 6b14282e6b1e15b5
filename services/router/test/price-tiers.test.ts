import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { NANO_PER_THOUSAND, sold } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { type Asking, answersIn, priceOf, SURFACES, type Told } from './surfaces.ts'

/** Above this many input tokens, each token costs three times as much in and four times as much out. */
const ABOVE = 1_000
const TIER = { above: ABOVE, prompt: '0.000003', completion: '0.000008' }
const ROWS = (Object.keys(SURFACES) as Asking[]).flatMap((surface) =>
  (surface === 'embeddings' ? [false] : [true, false]).map((stream) => ({ surface, stream })),
)

let stage: Stage
beforeAll(async () => {
  const models = [sold('small', 'ok'), sold('embedding', 'ok')].map((model) => ({ ...model, tiers: [TIER] }))
  stage = await openStage(inject('postgresUrl'), { models })
})
afterAll(() => stage.close())

/** A call with a prompt of about that many tokens: each repetition of the word is one. */
async function made({ surface, stream }: (typeof ROWS)[number], words: number) {
  const key = await stage.fundedKey(PLENTY)
  const { path, body } = SURFACES[surface]
  const prompt = ' word'.repeat(words)
  const asked: Record<string, unknown> = body(surface === 'embeddings' ? 'embedding-ok' : 'small-ok')
  const question = 'input' in asked ? { input: prompt } : { messages: [{ role: 'user', content: prompt }] }
  const answer = await stage.post(key, path, { ...asked, ...question, ...(stream ? { stream } : {}) })
  const text = await answer.text()
  expect([answer.status, text]).toMatchObject([200, expect.anything()])
  const [call] = await stage.calls(key.owner)
  if (!call) throw new Error('no call was settled')
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call.cost, held: 0n })
  return { call, told: SURFACES[surface].told(answersIn(text)) }
}

const tierPriceOf = ({ fresh, output }: Told) =>
  (BigInt(fresh) * 3n * NANO_PER_THOUSAND.fresh + BigInt(output) * 4n * NANO_PER_THOUSAND.output) / 1_000n

describe('a model whose longer prompts are dearer', () => {
  test.each(ROWS)('$surface, stream $stream: a short prompt pays the price of the row', async (row) => {
    const { call, told } = await made(row, 100)
    expect(told.fresh).toBeLessThan(ABOVE)
    expect(call).toMatchObject({ ending: 'completed', cost: priceOf(told) })
  })

  test.each(ROWS)(
    '$surface, stream $stream: a longer one pays the tier’s price for all its tokens, and holds as much',
    async (row) => {
      const { call, told } = await made(row, 1_500)
      expect(told.fresh).toBeGreaterThan(ABOVE)
      expect(call).toMatchObject({ ending: 'completed', cost: tierPriceOf(told) })
      expect(call.held).toBeGreaterThanOrEqual(call.cost)
    },
  )
})

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sold } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { type Asking, answersIn, priceOf, SURFACES } from './surfaces.ts'

/** The upstream's usage is possible and is charged. */
const PAID = ['ok', 'usage-twice', 'usage-only-end', 'cached', 'split-utf8']
/** The upstream fails, and nothing is charged. */
const FREE = ['error-500', 'error-429', 'reset', 'die-in-stream', 'error-in-stream', 'endless-line']
/** The upstream reports no usage, or an impossible one: the Router's estimate is charged. */
const ESTIMATED = ['no-usage', 'usage-negative']
const ALL = [...PAID, ...FREE, ...ESTIMATED, 'usage-huge']

/** Troubles of completions only: embeddings have no stream to break and no text to split. */
const OF_STREAMS = new Set(['error-in-stream', 'usage-twice', 'usage-only-end', 'split-utf8'])

interface Row {
  readonly surface: Asking
  readonly trouble: string
  readonly stream: boolean
}

const rows = (troubles: readonly string[]): Row[] =>
  (Object.keys(SURFACES) as Asking[]).flatMap((surface) =>
    troubles.flatMap((trouble): Row[] => {
      if (surface !== 'embeddings') return [true, false].map((stream) => ({ surface, trouble, stream }))
      return OF_STREAMS.has(trouble) ? [] : [{ surface, trouble, stream: false }]
    }),
  )

let stage: Stage
beforeAll(async () => {
  const models = ALL.flatMap((trouble) => [sold('small', trouble), sold('embedding', trouble)])
  stage = await openStage(inject('postgresUrl'), { models })
})
afterAll(() => stage.close())

/** Makes one call for a new owner, reads its answer to the end, and returns the outcome. */
async function made({ surface, trouble, stream }: Row) {
  const key = await stage.fundedKey(PLENTY)
  const { path, body } = SURFACES[surface]
  const model = `${surface === 'embeddings' ? 'embedding' : 'small'}-${trouble}`
  const answer = await stage.post(key, path, { ...body(model), ...(stream ? { stream } : {}) })
  const text = await answer.text()
  const calls = await stage.calls(key.owner)
  expect(calls).toHaveLength(1)
  const [call] = calls as [(typeof calls)[number]]
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call.cost, held: 0n })
  expect(await stage.faults()).toEqual([])
  return { answer, text, call }
}

const NAME = '$surface, stream $stream: $trouble'

describe('the upstream’s true count is charged to the last token', () => {
  test.each(rows(PAID))(NAME, async (row) => {
    const { answer, text, call } = await made(row)
    expect(answer.status).toBe(200)
    const told = SURFACES[row.surface].told(answersIn(text))
    expect(told.fresh).toBeGreaterThan(0)
    expect(call).toMatchObject({ ending: 'completed', estimated: false, cost: priceOf(told) })
    if (row.trouble === 'cached' && row.surface !== 'embeddings') expect(told.cacheRead).toBeGreaterThan(0)
    if (row.trouble !== 'split-utf8') return
    for (const character of 'ë€é東京🙂') expect(text).toContain(character)
    expect(text).not.toContain('\uFFFD')
  })
})

test('a batch of embeddings is charged in full, even where its texts together exceed the context of one', async () => {
  const before = await stage.counted('callboard_router_overclaims_total')
  const key = await stage.fundedKey(PLENTY)
  const { path, body, told } = SURFACES.embeddings
  const input = Array.from({ length: 4 }, () => 'far '.repeat(12_000))
  const answer = await stage.post(key, path, { ...body('embedding-ok'), input })
  const used = told(answersIn(await answer.text()))
  expect(used.fresh).toBeGreaterThan(32_768)
  expect(await stage.calls(key.owner)).toMatchObject([{ ending: 'completed', cost: priceOf(used) }])
  expect(await stage.counted('callboard_router_overclaims_total')).toBe(before)
})

describe('a failure of the upstream costs nothing', () => {
  test.each(rows(FREE))(NAME, async (row) => {
    const { answer, text, call } = await made(row)
    expect(call).toMatchObject({ cost: 0n, estimated: false })
    expect(call.ending).toMatch(/^(failed_before_output|broken)$/)
    if (answer.status !== 200) {
      expect(answer.status).toBe(502)
      return expect(text).toContain('error')
    }
    expect(row.stream).toBe(true)
    expect(text).not.toContain('[DONE]')
    expect(answersIn(text).some((one) => one.error || one.type === 'error')).toBe(true)
  })
})

describe('a missing or impossible count is estimated, and the estimate never exceeds the hold', () => {
  test.each(rows(ESTIMATED))(NAME, async (row) => {
    const { answer, call } = await made(row)
    expect(answer.status).toBe(200)
    expect(call).toMatchObject({ ending: 'completed_without_usage', estimated: true })
    expect(call.cost).toBeGreaterThan(0n)
    expect(call.cost).toBeLessThanOrEqual(call.held)
  })
})

describe('a claim above the hold costs the hold, and is counted', () => {
  test.each(rows(['usage-huge']))(NAME, async (row) => {
    const before = await stage.counted('callboard_router_overclaims_total')
    const { answer, call } = await made(row)
    expect(answer.status).toBe(200)
    expect(call).toMatchObject({ ending: 'completed', estimated: false, cost: call.held })
    expect(await stage.counted('callboard_router_overclaims_total')).toBe(before + 1)
  })
})

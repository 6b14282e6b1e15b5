import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sold } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { answersIn, priceOf, SURFACES } from './surfaces.ts'

/** The surfaces, each with a model that only an upstream of the other shape has. */
const ACROSS = { chat: 'anthropic', responses: 'anthropic', messages: 'openai' } as const
type Across = keyof typeof ACROSS

/** The upstream's usage is possible and is charged. */
const PAID = ['ok', 'usage-twice', 'usage-only-end', 'cached', 'split-utf8']
/** The upstream fails, and nothing is charged. */
const FREE = [
  'error-400',
  'error-401',
  'error-429',
  'error-500',
  'reset',
  'die-in-stream',
  'error-in-stream',
  'endless-line',
]
/** The upstream reports no usage, or an impossible one: the Router's estimate is charged. */
const ESTIMATED = ['no-usage', 'usage-negative']

interface Row {
  readonly surface: Across
  readonly trouble: string
  readonly stream: boolean
}

const rows = (troubles: readonly string[]): Row[] =>
  (Object.keys(ACROSS) as Across[]).flatMap((surface) =>
    troubles.flatMap((trouble) => [true, false].map((stream) => ({ surface, trouble, stream }))),
  )
const NAME = '$surface, stream $stream: $trouble'

let stage: Stage
beforeAll(async () => {
  const models = ['anthropic', 'openai'].flatMap((shape) =>
    [...PAID, ...FREE, ...ESTIMATED, 'usage-huge'].map((trouble) => ({
      ...sold('small', trouble),
      id: `${shape}-${trouble}`,
      shape: shape as 'anthropic' | 'openai',
    })),
  )
  stage = await openStage(inject('postgresUrl'), { models })
})
afterAll(() => stage.close())

/** Makes one call for a new owner, reads its answer to the end, and returns the outcome. */
async function made({ surface, trouble, stream }: Row) {
  const key = await stage.fundedKey(PLENTY)
  const { path, body } = SURFACES[surface]
  const answer = await stage.post(key, path, { ...body(`${ACROSS[surface]}-${trouble}`), stream })
  const text = await answer.text()
  const [call, ...more] = await stage.calls(key.owner)
  if (!call) throw new Error(`No call was made: ${answer.status} ${text}`)
  expect(more).toEqual([])
  expect(call.state).toBe('settled')
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call.cost, held: 0n })
  expect(await stage.faults()).toEqual([])
  return { answer, text, call }
}

describe('the upstream’s count is what is reported and what is charged', () => {
  test.each(rows(PAID))(NAME, async (row) => {
    const { answer, text, call } = await made(row)
    expect(answer.status).toBe(200)
    const told = SURFACES[row.surface].told(answersIn(text))
    expect(told.fresh).toBeGreaterThan(0)
    expect(told.output).toBeGreaterThan(0)
    expect(call).toMatchObject({ ending: 'completed', estimated: false, cost: priceOf(told) })
    if (row.trouble === 'cached') expect([told.cacheRead, told.cacheWrite].every((tokens) => tokens > 0)).toBe(true)
    if (row.trouble !== 'split-utf8') return
    for (const character of 'ë€é東京🙂') expect(text).toContain(character)
    expect(text).not.toContain('\uFFFD')
  })
})

describe('a failure of the upstream costs nothing, and is reported in the client’s shape', () => {
  test.each(rows(FREE))(NAME, async (row) => {
    const { answer, text, call } = await made(row)
    expect(call).toMatchObject({ cost: 0n, estimated: false })
    expect(call.ending).toMatch(/^(failed_before_output|broken)$/)
    const errors = answersIn(text).filter((one) => one.error || one.type === 'error')
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      if (row.surface === 'messages')
        expect(error).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
      else if (answer.status !== 200 || row.surface === 'chat') expect(error.error).toMatchObject({ param: null })
      else expect(error).toMatchObject({ type: 'error', message: expect.any(String) })
    }
    if (answer.status === 200) {
      expect(row.stream).toBe(true)
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    } else expect(answer.status).toBe(row.trouble === 'error-400' ? 400 : 502)
  })
})

describe('a missing or impossible count is replaced by ours, reported as such, and never exceeds the hold', () => {
  test.each(rows(ESTIMATED))(NAME, async (row) => {
    const { answer, text, call } = await made(row)
    expect(answer.status).toBe(200)
    expect(priceOf(SURFACES[row.surface].told(answersIn(text)))).toBe(call.cost)
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

import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { MODELS, soldModels } from './stock-client.ts'
import { QUESTION } from './surfaces.ts'

const messages = [{ role: 'user' as const, content: QUESTION }]
const FREE = ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27']
const DEAR = ['files-api-2025-04-14', 'fast-mode-2026-02-01']

let stage: Stage
let key: MadeKey
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: soldModels })
})
afterAll(() => stage.close())
beforeEach(async () => {
  key = await stage.fundedKey(PLENTY)
})

const clientOf = () => new Anthropic({ apiKey: key.secret, baseURL: stage.base, maxRetries: 0 })

/** The API headers that the last call sent to its upstream. */
function told() {
  const { 'anthropic-version': version, 'anthropic-beta': beta } = stage.upstream.calls.at(-1)?.headers ?? {}
  return { version, beta }
}

/** Asks without Anthropic's client, with custom headers. */
const asked = (headers: Record<string, string>, path: string, more: object) =>
  fetch(stage.base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key.secret, ...headers },
    body: JSON.stringify({ model: MODELS.anthropic, messages, ...more }),
  })

describe('the version and the betas of a client', () => {
  test.each([
    [
      'a message',
      () =>
        clientOf()
          .beta.messages.create({ ...BODY, betas: [...FREE, ...DEAR] })
          .withResponse(),
    ],
    [
      'a count of tokens',
      () =>
        clientOf()
          .beta.messages.countTokens({
            model: MODELS.anthropic,
            messages,
            betas: [...FREE, 'token-counting-2024-11-01'],
          })
          .withResponse(),
    ],
  ])('reach its upstream, except the betas that cost more than tokens: %s', async (what, ask) => {
    const { response } = await ask()
    expect(told().version).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(String(told().beta).split(',')).toEqual(expect.arrayContaining(FREE))
    for (const beta of DEAR) expect(told().beta).not.toContain(beta)
    if (what === 'a message') expect(response.headers.get('x-callboard-dropped-betas')).toBe(DEAR.join(', '))
  })

  test('are not sent to an upstream of another shape', async () => {
    await clientOf().beta.messages.create({ ...BODY, model: MODELS.openai, betas: FREE })
    expect(told()).toEqual({ version: undefined, beta: undefined })
  })

  test('are not read from the body, and without a version the oldest one is sent', async () => {
    const answer = await asked({}, '/v1/messages', {
      max_tokens: 5,
      anthropicVersion: '2030-01-01',
      anthropicBeta: 'x',
    })
    expect(answer.status).toBe(200)
    expect(told()).toEqual({ version: '2023-06-01', beta: undefined })
    expect(JSON.stringify(stage.upstream.calls.at(-1)?.body)).not.toContain('2030-01-01')
  })

  test.each([
    ['anthropic-version', 'newest'],
    ['anthropic-version', '2023-06-01, 2026-10-21'],
    ['anthropic-beta', 'pdfs 2024'],
    ['anthropic-beta', `${'a'.repeat(60)},`.repeat(40).slice(0, -1)],
  ])('400 names the header: %s %s', async (name, value) => {
    for (const [path, more] of [
      ['/v1/messages', { max_tokens: 5 }],
      ['/v1/messages/count_tokens', {}],
    ] as const) {
      const answer = await asked({ [name]: value }, path, more)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(`${name}: `) } })
    }
  })

  test('may be anything on other surfaces, which do not define them', async () => {
    const answer = await asked({ 'anthropic-beta': '%%%' }, '/v1/chat/completions', { max_tokens: 5, anthropicBeta: 7 })
    expect(answer.status).toBe(200)
  })
})

const BODY = { model: MODELS.anthropic, max_tokens: 5, messages }

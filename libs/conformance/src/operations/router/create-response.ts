import { router } from '@callboard/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { accepted } from '../../expectations/expectations.ts'
import { acceptedStream } from '../../expectations/streams.ts'
import { type ModelCall, registerRefusedCalls } from '../../models/refused-calls.ts'
import { bought } from '../../models/sold.ts'
import { paidFor } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const op = router.createResponse
const PATH = '/v1/responses'
/** Enough for one word, even from a model that reasons first. */
const MOST_TOKENS = 1_000

const body = (model: string, more: object = {}) => ({
  model,
  input: 'Name a city in one word.',
  max_output_tokens: MOST_TOKENS,
  ...more,
})

const CALL: ModelCall = {
  op,
  path: PATH,
  capability: 'responses',
  body,
  wrong: [
    ['input', { input: undefined }],
    ['input', { input: '' }],
    ['input', { input: [] }],
    ['model', { model: undefined }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['max_output_tokens', { max_output_tokens: -1 }],
    ['stream', { stream: 'yes' }],
  ],
}

const Usage = z.looseObject({ input_tokens: z.int().positive(), output_tokens: z.int().positive() })
const Answered = op.http.answer.extend({ output: z.array(z.looseObject({ type: z.string() })).min(1), usage: Usage })
const Event = z.looseObject({ type: z.string() })
const Completed = Event.extend({ response: Answered })

export const createResponse: Register = (target) => {
  registerRefusedCalls(target, CALL)

  bought(target, 'responses', 'whole: an answer with its usage, paid from the balance', async ({ id }, { key }) => {
    for (const client of [key.bearer, key.xApiKey]) {
      const answer = await paidFor(client, () => client.post(PATH, body(id)))
      const { usage } = accepted(op, answer, Answered)
      expect(usage.output_tokens).toBeLessThanOrEqual(MOST_TOKENS)
    }
  })

  bought(target, 'responses', 'streamed: events that end with response.completed', async ({ id }, { key }) => {
    const answer = await paidFor(key.bearer, () => key.bearer.post(PATH, body(id, { stream: true })))
    const frames = acceptedStream(op, answer)
    for (const { event, data } of frames) expect(Event.parse(JSON.parse(data)).type).toBe(event)
    expect(frames[0]?.event).toBe('response.created')
    expect(frames.at(-1)?.event).toBe('response.completed')
    Completed.parse(JSON.parse(frames.at(-1)?.data ?? ''))
  })
}

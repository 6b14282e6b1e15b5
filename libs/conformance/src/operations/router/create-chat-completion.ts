import { router } from '@callboard/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { accepted } from '../../expectations/expectations.ts'
import { acceptedStream } from '../../expectations/streams.ts'
import { type ModelCall, registerRefusedCalls } from '../../models/refused-calls.ts'
import { bought } from '../../models/sold.ts'
import { paidFor } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const op = router.createChatCompletion
const PATH = '/v1/chat/completions'
const MOST_TOKENS = 16

const body = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Name a city in one word.' }],
  max_tokens: MOST_TOKENS,
  ...more,
})

const CALL: ModelCall = {
  op,
  path: PATH,
  capability: 'chat',
  body,
  wrong: [
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: 'Name a city.' }],
    ['model', { model: undefined }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: -1 }],
    ['max_completion_tokens', { max_tokens: undefined, max_completion_tokens: 1.5 }],
    ['n', { n: 100 }],
    ['stream', { stream: 'yes' }],
  ],
}

const Usage = z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
const Completion = op.http.answer.extend({
  choices: z.array(z.looseObject({ message: z.looseObject({ role: z.literal('assistant'), content: z.string() }) })),
  usage: Usage,
})
const Chunk = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().nullish() }) })),
  usage: Usage.nullish(),
})

export const createChatCompletion: Register = (target) => {
  registerRefusedCalls(target, CALL)

  bought(target, 'chat', 'whole: an answer with its usage, paid from the balance', async ({ id }, { key }) => {
    for (const client of [key.bearer, key.xApiKey]) {
      const answer = await paidFor(client, () => client.post(PATH, body(id)))
      const { choices, usage } = accepted(op, answer, Completion)
      expect(choices).toHaveLength(1)
      expect(usage.prompt_tokens).toBeGreaterThan(0)
      expect(usage.completion_tokens).toBeGreaterThan(0)
      expect(usage.completion_tokens).toBeLessThanOrEqual(MOST_TOKENS)
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
    }
  })

  bought(target, 'chat', 'streamed: chunks, then [DONE]; usage only where it is asked for', async ({ id }, { key }) => {
    for (const include_usage of [undefined, false, true]) {
      const more = { stream: true, ...(include_usage === undefined ? {} : { stream_options: { include_usage } }) }
      const answer = await paidFor(key.bearer, () => key.bearer.post(PATH, body(id, more)))
      const frames = acceptedStream(op, answer)
      expect(frames.at(-1)?.data).toBe('[DONE]')
      const chunks = frames.slice(0, -1).map(({ data }) => Chunk.parse(JSON.parse(data)))
      expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join('')).not.toBe('')
      const reported = chunks.filter(({ usage }) => usage)
      expect(reported).toHaveLength(include_usage ? 1 : 0)
      if (include_usage) expect(chunks.at(-1)).toMatchObject({ choices: [], usage: reported[0]?.usage })
    }
  })
}

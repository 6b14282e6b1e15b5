import { router } from '@callboard/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { accepted } from '../../expectations/expectations.ts'
import { acceptedStream } from '../../expectations/streams.ts'
import { type ModelCall, registerRefusedCalls } from '../../models/refused-calls.ts'
import { bought } from '../../models/sold.ts'
import { paidFor } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const op = router.createMessage
/** Anthropic's clients append `beta=true` to the path of some calls. */
const PATH = '/v1/messages?beta=true'
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
  capability: 'messages',
  body,
  wrong: [
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['model', { model: undefined }],
    ['max_tokens', { max_tokens: undefined }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: -1 }],
    ['stream', { stream: 'yes' }],
  ],
}

const Message = op.http.answer.extend({
  role: z.literal('assistant'),
  content: z.array(z.looseObject({ type: z.string() })).min(1),
  usage: z.looseObject({ input_tokens: z.int().positive(), output_tokens: z.int().positive() }),
})
const Event = z.looseObject({
  type: z.string(),
  usage: z.looseObject({ output_tokens: z.int().positive() }).optional(),
})

export const createMessage: Register = (target) => {
  registerRefusedCalls(target, CALL)

  bought(target, 'messages', 'whole: an answer with its usage, paid from the balance', async ({ id }, { key }) => {
    for (const client of [key.xApiKey, key.bearer]) {
      const answer = await paidFor(client, () => client.post(PATH, body(id)))
      expect(accepted(op, answer, Message).usage.output_tokens).toBeLessThanOrEqual(MOST_TOKENS)
    }
  })

  bought(
    target,
    'messages',
    'streamed: from message_start to message_stop, with the usage',
    async ({ id }, { key }) => {
      const answer = await paidFor(key.xApiKey, () => key.xApiKey.post(PATH, body(id, { stream: true })))
      const frames = acceptedStream(op, answer)
      const events = frames.map(({ data }) => Event.parse(JSON.parse(data)))
      expect(events.map(({ type }) => type)).toEqual(frames.map(({ event }) => event))
      expect(events[0]?.type).toBe('message_start')
      expect(events.at(-1)?.type).toBe('message_stop')
      expect(events.filter(({ type, usage }) => type === 'message_delta' && usage)).toHaveLength(1)
    },
  )
}

import { createOpenAI, type OpenAILanguageModelResponsesOptions } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { type Json, listOf } from '../domain/json.ts'
import { SseScanner } from '../domain/sse.ts'
import { messagesStream } from '../domain/stream-usage.ts'
import type { Usage } from '../domain/usage.ts'
import { eventText } from './streams/sse-text.ts'
import { translatedReader } from './streams/translated-reader.ts'
import { translationOf } from './translation.ts'

// A provider that signs its thinking wants it back before the tool call that followed it. Unmodified clients return it.

const SIGNED = [
  { type: 'thinking', thinking: 'The weather must be looked up.', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'c2VhbGVk' },
]
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lisbon' } }
const usage = { input_tokens: 9, output_tokens: 7 }
const USED: Usage = { inputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7, reasoningTokens: 0 }

/** The provider's first answer, and the one to the tool's result. */
const answerTo = (body: Json): Json => {
  const isSecond = listOf(body.messages).length > 1
  return {
    ...{ id: isSecond ? 'msg_2' : 'msg_1', type: 'message', role: 'assistant', model: 'there', usage },
    content: isSecond ? [{ type: 'text', text: 'Sun.' }] : [...SIGNED, CALL],
    stop_reason: isSecond ? 'end_turn' : 'tool_use',
  }
}

function* eventsOf({ content, stop_reason, ...message }: Json): Generator<Json> {
  yield { type: 'message_start', message: { ...message, content: [] } }
  for (const [index, block] of listOf(content).entries()) {
    const { thinking, signature, input, text, ...start } = block
    const delta = (said: Json): Json => ({ type: 'content_block_delta', index, delta: said })
    yield { type: 'content_block_start', index, content_block: { ...start, ...(input ? { input: {} } : {}) } }
    if (thinking) yield delta({ type: 'thinking_delta', thinking })
    if (signature) yield delta({ type: 'signature_delta', signature })
    if (input) yield delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) })
    if (text) yield delta({ type: 'text_delta', text })
    yield { type: 'content_block_stop', index }
  }
  yield { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } }
  yield { type: 'message_stop' }
}

/** A provider behind the translation, and the requests that it received. */
function provider(surface: 'chat' | 'responses') {
  const asked: Json[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body))
    const translation = translationOf(surface, body, 1_795_339_800)
    if (!translation) throw new Error(`${surface} is not translated`)
    asked.push(translation.body)
    const answer = answerTo(translation.body)
    if (body.stream !== true) {
      return Response.json(translation.whole(answer, USED))
    }
    const reader = messagesStream()
    const put = translatedReader(reader, { surface, translation })
    const text = [...eventsOf(answer)].map((event) => eventText('messages', event)).join('')
    const frames = new SseScanner().push(Buffer.from(text))
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(frames.map((frame) => put.take(frame)).join('') + put.end(USED), { headers })
  }
  return { asked, fetch: fetch as typeof globalThis.fetch }
}

const parameters = { type: 'object' as const, properties: { city: { type: 'string' as const } } }
const weather = tool({ inputSchema: jsonSchema<{ city: string }>(parameters), execute: async () => 'Sun, 24 degrees' })

const BROUGHT_BACK = { role: 'assistant', content: [...SIGNED, CALL] }

describe('signed thinking is sent back before the call that followed it', () => {
  test.each([true, false])('by the ai package, in its responses: stream %s', async (isStream) => {
    const { asked, fetch } = provider('responses')
    const openai = {
      store: false,
      include: ['reasoning.encrypted_content'],
    } satisfies OpenAILanguageModelResponsesOptions
    const request = {
      ...{
        model: createOpenAI({ apiKey: 'none', fetch }).responses('gpt-5'),
        tools: { weather },
        prompt: 'How is it?',
      },
      ...{ stopWhen: isStepCount(3), providerOptions: { openai }, maxRetries: 0 },
    }
    const streamed = isStream ? streamText(request) : undefined
    await streamed?.consumeStream()
    const { text, steps } = streamed ?? (await generateText(request))
    expect(await text).toBe('Sun.')
    expect((await steps)[0]?.reasoningText).toBe('The weather must be looked up.')
    expect(listOf(asked[1]?.messages)[1]).toEqual(BROUGHT_BACK)
  })

  test('by the openai package, whose message is appended as it came', async () => {
    const { asked, fetch } = provider('chat')
    const client = new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 })
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is it?' }]
    const request = {
      model: 'there',
      messages,
      tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
    }
    const { choices } = await client.chat.completions.create(request)
    const [message] = choices.map((choice) => choice.message)
    if (message) messages.push(message)
    messages.push({ role: 'tool', tool_call_id: 'toolu_1', content: 'Sun, 24 degrees' })
    const answered = await client.chat.completions.create(request)
    expect(answered.choices[0]?.message.content).toBe('Sun.')
    expect(listOf(asked[1]?.messages)[1]).toEqual(BROUGHT_BACK)
  })
})

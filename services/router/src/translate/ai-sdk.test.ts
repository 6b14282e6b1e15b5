import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolChoice, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import type { Json } from '../domain/json.ts'
import { chatToMessages } from './chat-to-messages.ts'
import { messagesToChat } from './messages-to-chat.ts'
import { responsesToChat } from './responses-to-chat.ts'

// One prompt of the AI SDK, written by its provider for one API and translated, and written by its provider for the
// other: both must say the same to the upstream.

const PNG = 'iVBORw0KGgo='
const tools = {
  weather: tool({
    description: 'Tells the weather.',
    inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  }),
}

interface Asked {
  readonly messages: ModelMessage[]
  readonly system?: string
  readonly tools?: typeof tools
  readonly toolChoice?: ToolChoice<typeof tools>
  readonly stopSequences?: string[]
  readonly temperature?: number
  readonly topP?: number
}

const user = (content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({ role: 'user', content })
const called = (toolCallId: string, city: string) => ({
  ...{ type: 'tool-call' as const, toolCallId, toolName: 'weather', input: { city } },
})
const found = (toolCallId: string, value: string) => ({
  ...{ type: 'tool-result' as const, toolCallId, toolName: 'weather', output: { type: 'text' as const, value } },
})

const PROMPTS: Readonly<Record<string, Asked>> = {
  'a question': { messages: [user('Is it?')] },
  'a system prompt and settings': {
    ...{ system: 'Be brief.', temperature: 0.5, stopSequences: ['END', 'STOP'] },
    messages: [user('Is it?')],
  },
  'a conversation': { messages: [user('Is it?'), { role: 'assistant', content: 'Yes.' }, user('Why?')] },
  'an image in base64': {
    messages: [
      user([
        { type: 'text', text: 'What is this?' },
        { type: 'file', data: PNG, mediaType: 'image/png' },
      ]),
    ],
  },
  'a document': {
    messages: [user([{ type: 'file', data: 'JVBERi0xLjQ=', mediaType: 'application/pdf', filename: 'paper.pdf' }])],
  },
  'tools to choose from': { messages: [user('Is it?')], tools, toolChoice: 'auto' },
  'a tool that must be called': { messages: [user('Is it?')], tools, toolChoice: 'required' },
  'the tool that must be called': {
    messages: [user('Is it?')],
    tools,
    toolChoice: { type: 'tool', toolName: 'weather' },
  },
  'calls at once and their results': {
    tools,
    messages: [
      user('Where does it rain?'),
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I look.' }, called('call_1', 'Lisbon'), called('call_2', 'Porto')],
      },
      { role: 'tool', content: [found('call_1', 'Sun'), found('call_2', 'Rain')] },
      user('And tomorrow?'),
    ],
  },
}

/** The request that a provider of the AI SDK sends to its upstream. */
async function bodyOf(model: (fetch: typeof globalThis.fetch) => LanguageModel, asked: Asked): Promise<Json> {
  let body: Json | undefined
  const caught = async (_: unknown, init?: RequestInit) => {
    body = JSON.parse(String(init?.body))
    throw new Error('Only the request is looked at.')
  }
  await generateText({
    ...asked,
    model: model(caught as typeof globalThis.fetch),
    maxRetries: 0,
    maxOutputTokens: 100,
  }).catch(() => {})
  if (!body) throw new Error('Nothing was asked.')
  return body
}

const apiKey = 'none'
const chat = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey, fetch }).chat('some-model')
const responses = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey, fetch }).responses('some-model')
const messages = (fetch: typeof globalThis.fetch) => createAnthropic({ apiKey, fetch })('some-model')

/** A body as its upstream understands it: a single text is a string, defaults are left out, the sender sets lengths. */
function understood(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const [only] = value
    if (key === 'content' && value.length === 1 && only?.type === 'text' && Object.keys(only).length === 2)
      return only.text
    return value.map((one) => understood(one))
  }
  if (typeof value !== 'object' || value === null) return value
  const left = Object.entries(value)
    .filter(([name, member]) => !['model', 'max_tokens', 'max_output_tokens'].includes(name) && member !== undefined)
    .filter(([name, member]) => !(name === 'tool_choice' && (member === 'auto' || member?.type === 'auto')))
    .filter(([name]) => name !== 'additionalProperties' && name !== '$schema' && name !== 'store')
  return Object.fromEntries(left.map(([name, member]) => [name, understood(member, name)]))
}

describe.each(Object.entries(PROMPTS))('%s', (_, asked) => {
  test('a chat completion becomes the message request that the provider of messages sends', async () => {
    expect(understood(chatToMessages(await bodyOf(chat, asked)))).toEqual(understood(await bodyOf(messages, asked)))
  })

  test('a response becomes the message request that the provider of messages sends', async () => {
    const { stopSequences: _none, ...known } = asked
    const put = chatToMessages(responsesToChat(await bodyOf(responses, known)))
    expect(understood(put)).toEqual(understood(await bodyOf(messages, known)))
  })

  test('a message becomes the chat completion request that the provider of chats sends', async () => {
    expect(understood(messagesToChat(await bodyOf(messages, asked)))).toEqual(understood(await bodyOf(chat, asked)))
  })
})

import { countTokens, encodeChat } from 'gpt-tokenizer/model/gpt-4o'
import { describe, expect, test } from 'vitest'
import { promptTokens, tokensOf } from './count.ts'

const SAID = 'Agents buy weather, maps and compute; tomorrow’s 天気 costs a cent.'

describe('the token count of a request', () => {
  test('is what OpenAI’s encoding gives for a chat', () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: SAID },
    ]
    expect(promptTokens('chat', { messages })).toBe(encodeChat(messages).length)
  })

  test('is the same in every shape with the same content', () => {
    const [system, user] = ['Be brief.', SAID]
    const parts = [{ type: 'text', text: user }]
    const chat = promptTokens('chat', {
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: parts },
      ],
    })
    expect(promptTokens('messages', { system, messages: [{ role: 'user', content: parts }] })).toBe(chat)
    expect(promptTokens('responses', { instructions: system, input: user })).toBe(chat)
    const input = [{ role: 'user', content: [{ type: 'input_text', text: user }] }]
    expect(promptTokens('responses', { instructions: system, input })).toBe(chat)
  })

  test('of embeddings is that of their texts, or the number of tokens given as such', () => {
    const each = countTokens(SAID)
    expect(promptTokens('embeddings', { input: SAID })).toBe(each)
    expect(promptTokens('embeddings', { input: [SAID, SAID] })).toBe(2 * each)
    expect(promptTokens('embeddings', { input: [1, 2, 3] })).toBe(3)
    expect(promptTokens('embeddings', { input: [[1, 2], [3]] })).toBe(3)
  })

  test('counts a tool by its description, and an image, which is not text, as nothing', () => {
    const messages = [{ role: 'user', content: 'Weather?' }]
    const bare = promptTokens('chat', { messages })
    const named = { name: 'weather', description: 'By the hour', parameters: { type: 'object' } }
    const ofTool = promptTokens('chat', { messages, tools: [{ type: 'function', function: named }] }) - bare
    expect(ofTool).toBe(countTokens(JSON.stringify([named])))
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const seen = [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }, image] }]
    expect(promptTokens('chat', { messages: seen })).toBe(bare)
  })

  test('counts no bytes of an image in a tool’s result, with or without a type, and a document of text as its text', () => {
    const count = (...content: object[]) => promptTokens('messages', { messages: [{ role: 'user', content }] })
    const result = (...content: object[]) => ({ type: 'tool_result', tool_use_id: 'call_1', content })
    const text = { type: 'text', text: SAID }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(1_000) } }
    expect(count(result(text, image))).toBe(count(result(text)))
    const untyped = { image_url: { url: `data:image/png;base64,${image.source.data}` } }
    expect(count(text, untyped)).toBe(count(text))
    const document = (source: object) => ({ type: 'document', title: 'a', source })
    expect(count(document({ type: 'text', media_type: 'text/plain', data: SAID }))).toBe(count(text))
    expect(count(document({ type: 'content', content: SAID }))).toBe(count(text))
    expect(count(document({ type: 'content', content: [text, image] }))).toBe(count(text))
    expect(count(text, document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }))).toBe(count(text))
  })
})

test('counts a text of many words exactly, and one without a space in a time that grows with its length', () => {
  const prose = `${SAID} `.repeat(200)
  expect(tokensOf([prose])).toBe(countTokens(prose))
  // Eight letters are a token.
  expect(tokensOf(['a'.repeat(256_000)])).toBe(32_000)
})

test('treats the name of a special token as text, and estimates a very long text from parts of it', () => {
  expect(tokensOf(['<|endoftext|>'])).toBeGreaterThan(1)
  const long = 'weather and maps '.repeat(40_000)
  const counted = tokensOf([long])
  expect(Math.abs(counted / countTokens(long) - 1)).toBeLessThan(0.01)
})

test('estimates long texts from parts all over them, however they are divided, not from what they begin with', () => {
  const [cheap, dear] = [' '.repeat(256 * 1024), '天気と地図'.repeat(100_000)]
  const each = countTokens('天気と地図'.repeat(100)) * 1_000
  for (const texts of [[cheap + dear], [cheap, dear], [cheap, ...Array(10).fill(dear.slice(0, 50_000))]]) {
    const counted = tokensOf(texts)
    expect(counted).toBeGreaterThan(0.9 * each)
    expect(counted).toBeLessThan(1.1 * each)
  }
})

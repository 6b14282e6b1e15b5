import { expect, test } from 'vitest'
import { reasoningIn, textOfContent, thinkingOfContent } from './chat-parts.ts'

const parts = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }, { type: 'reference', text: 'no' }, { type: 'text' }] },
  { type: 'text', text: 'Two ' },
  { type: 'image_url', text: 'no', thinking: 'no' },
  { type: 'thinking', thinking: ', maps.' },
  { type: 'text', text: 'maps', thinking: 'no' },
]

test('text and reasoning of a list of parts are each put together in order, and nothing else', () => {
  expect([textOfContent(parts), thinkingOfContent(parts)]).toEqual(['Two maps', 'Hm, maps.'])
})

test('a text is itself, and holds no reasoning', () => {
  expect([textOfContent('Two maps'), thinkingOfContent('Two maps')]).toEqual(['Two maps', ''])
})

test.each([undefined, null, 3, { type: 'text', text: 'no' }])('%o is neither', (content) => {
  expect([textOfContent(content), thinkingOfContent(content)]).toEqual(['', ''])
})

test.each([
  [{ reasoning_content: 'Hm.', reasoning: 'no', content: parts }, 'Hm.'],
  [{ reasoning_content: '', reasoning: 'Hm.', content: parts }, 'Hm.'],
  [{ reasoning_content: null, reasoning: '', content: parts }, 'Hm, maps.'],
  [{ content: 'Two maps' }, ''],
])('reasoning is read from the member that has it: %o', (message, reasoning) => {
  expect(reasoningIn(message)).toBe(reasoning)
})

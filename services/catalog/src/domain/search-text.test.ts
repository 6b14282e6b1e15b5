import { expect, test } from 'vitest'
import { searchText } from './search-text.ts'

const listing = {
  description: 'Answers',
  category: 'data' as const,
  operations: [{ name: 'Ask', url: 'https://api.deep.example/ask', description: 'Any question' }],
}

test('searchText holds category, description, and endpoints with their hosts, up to a maximum length', () => {
  expect(searchText(listing)).toBe('data\nAnswers\nAsk\napi.deep.example/ask\nAny question')
  expect(searchText({ ...listing, description: 'x'.repeat(100_000) })).toHaveLength(20_000)
})

test('behavior: a string that is not a URL is included as it is', () => {
  const operations = [{ name: 'Ask', url: '/c', description: '' }]
  expect(searchText({ ...listing, operations })).toBe('data\nAnswers\nAsk\n/c\n')
})

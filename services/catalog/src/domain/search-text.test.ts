import { expect, test } from 'vitest'
import { searchText } from './search-text.ts'

test('searchText holds name, hosts in parts, endpoints and description, up to a length', () => {
  const listing = {
    name: 'Deep Thought',
    description: 'Answers',
    operations: [{ name: 'Ask', url: 'https://api.deep.example/ask' }],
  }
  expect(searchText(listing)).toBe('Deep Thought\napi deep example\nAsk https://api.deep.example/ask\nAnswers')
  expect(searchText({ ...listing, description: 'x'.repeat(100_000) })).toHaveLength(20_000)
})

test('a host is there once, however many endpoints it has; what is no URL has none', () => {
  const operations = ['https://api.example/a', 'https://api.example/b', '/c'].map((url) => ({ name: 'Ask', url }))
  expect(searchText({ name: 'N', description: 'D', operations })).toBe(
    'N\napi example\nAsk https://api.example/a\nAsk https://api.example/b\nAsk /c\nD',
  )
})

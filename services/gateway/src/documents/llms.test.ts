import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { llmsText } from './llms.ts'

const ORIGIN = 'https://callboard.example'

test('begins with one heading and a summary, as llmstxt.org has it', () => {
  expect(llmsText(ORIGIN)).toMatch(/^# Callboard\n\n> .+\n/)
})

test('links every read that needs no credential, and none that does', () => {
  const text = llmsText(ORIGIN)
  expect(text).toContain(`- [/api/call/discovery](${ORIGIN}/api/call/discovery): `)
  for (const { http } of routes()) {
    const isOpen = http.auth === 'none' && http.method === 'GET' && !http.path.includes(':')
    expect(text.includes(`- [${http.path}](`), http.path).toBe(isOpen || http.path === '/.well-known/x402')
  }
})

import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { llmsText } from './llms.ts'

const ORIGIN = 'https://callboard.example'

test('begins with one heading and a summary, per llmstxt.org', () => {
  expect(llmsText(ORIGIN)).toMatch(/^# Callboard\n\n> .+\n/)
})

test('links every read that needs no credential or parameter, names those that need a parameter, and no others', () => {
  const text = llmsText(ORIGIN)
  expect(text).toContain(`- [/api/call/discovery](${ORIGIN}/api/call/discovery): `)
  expect(text).toContain('- `/api/wallet/usage?wallet=`: ')
  for (const { http, input } of routes()) {
    const isOpen = http.auth === 'none' && http.method === 'GET' && !http.path.includes(':')
    const isWhole = isOpen && input.safeParse({}).success
    expect(text.includes(`- [${http.path}](`), http.path).toBe(isWhole || http.path === '/.well-known/x402')
    expect(text.includes(`- \`${http.path}?`), http.path).toBe(isOpen && !isWhole)
  }
})

import { expect, test } from 'vitest'
import { operationKey } from './listing.ts'

test('operationKey: the key is the method and the URL, and never changes, so that recorded keys are found again', () => {
  expect(operationKey({ method: 'GET', url: 'https://api.example/quote' })).toBe('GET https://api.example/quote')
})

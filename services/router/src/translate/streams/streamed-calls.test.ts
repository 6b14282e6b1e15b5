import { expect, test } from 'vitest'
import { StreamedCalls } from './streamed-calls.ts'

test('a piece without index and id belongs to the call that began last, which is found at once among many', () => {
  const calls = new StreamedCalls()
  for (let index = 0; index < 200_000; index += 1)
    calls.take({ index, id: `call_${index}`, function: { name: 'find' } })
  for (let at = 0; at < 200_000; at += 1) calls.take({ function: { arguments: 'a' } })
  const { call } = calls.take({ function: { arguments: '' } })
  expect([call.id, call.text.length, calls.size]).toEqual(['call_199999', 200_000, 200_000])
})

import { afterAll, expect, test } from 'vitest'
import { promptTokens, tokensOf } from './count.ts'
import { TokenCounter } from './token-counter.ts'

const counter = new TokenCounter()
afterAll(() => counter.close())

const body = { messages: [{ role: 'user', content: 'Weather in 東京?' }] }

test('the worker thread counts what its functions count, and other work continues meanwhile', async () => {
  const said = ['Clear, 21 °C.']
  let isCounted = false
  const counting = counter.count({ surface: 'chat', body, said }).finally(() => {
    isCounted = true
  })
  // While the encoding is being loaded, a timer of this thread is not delayed.
  await new Promise((resolve) => setImmediate(resolve))
  expect(isCounted).toBe(false)
  expect(await counting).toEqual({ inputTokens: promptTokens('chat', body), outputTokens: tokensOf(said) })
})

test('a count that throws is rejected, and the next one succeeds', async () => {
  const broken = { surface: 'chat' as const, body, said: [null as never] }
  await expect(counter.count(broken)).rejects.toThrow()
  expect(await counter.count({ surface: 'chat', body, said: [] })).toMatchObject({ outputTokens: 0 })
})

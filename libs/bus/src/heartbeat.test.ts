import { expect, test } from 'vitest'
import { askForLife, HEARTBEAT, tellLife } from './heartbeat.ts'

const signs = (headers: Record<string, string>): number => {
  let told = 0
  tellLife(headers, () => {
    told += 1
  })()
  return told
}

test('whoever waits for longer than a silence asks for signs of life, and gets the first at once', () => {
  expect(signs(askForLife(HEARTBEAT.silenceMs + 1, HEARTBEAT))).toBe(1)
})

test('whoever waits for less does not, and a release before never did: they get the answer alone', () => {
  expect(signs(askForLife(HEARTBEAT.silenceMs, HEARTBEAT))).toBe(0)
  expect(signs({})).toBe(0)
})

import { expect, test } from 'vitest'
import { RawJson } from './raw-json.ts'

test.each([
  { items: [], next: null },
  { items: [{ a: 'é"\n' }, [1, undefined], null, 'x'], next: undefined, 'a "name"': { deep: [true] } },
  { before: 0, items: [1], after: -0.5 },
])('JSON assembled from raw parts equals JSON written in one go: %j', (whole) => {
  const items: unknown[] = whole.items
  const written = RawJson.object<object>({ ...whole, items: RawJson.list(items.map(RawJson.value)) })
  expect(written.json).toBe(JSON.stringify(whole))
})

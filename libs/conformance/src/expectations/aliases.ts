import { expect } from 'vitest'
import type { Client } from '../actors/client.ts'
import { eventually } from '../stage.ts'

/** HEAD answers with GET's status and headers, and without a body; retried, as the state may change between the two. */
export const expectHead = (client: Client, path: string): Promise<void> =>
  eventually(async () => {
    const [head, get] = [await client.head(path), await client.get(path)]
    expect(head.status).toBe(get.status)
    expect(head.text).toBe('')
    for (const name of ['content-type', 'cache-control', 'link', 'content-length']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
  })

/**
 * A deprecated path answers as its successor does, and names it. Replicas follow the same events, each at its own pace,
 * so a difference between the two reads is retried.
 */
export async function expectDeprecatedAlias(client: Client, path: string, successor: string, query: string) {
  const [old, canonical] = await eventually(async () => {
    const both = [await client.get(path + query), await client.get(successor + query)] as const
    expect(both[0].json()).toEqual(both[1].json())
    return both
  })
  expect(old.status).toBe(canonical.status)
  expect(old.headers.get('deprecation')).toBe('true')
  expect(old.headers.get('link')).toContain(`<${successor}>; rel="successor-version"`)
  expect(old.headers.get('cache-control')).toBe(canonical.headers.get('cache-control'))
  expect(canonical.headers.get('deprecation')).toBeNull()
  expect(canonical.headers.get('link') ?? '').not.toContain('successor-version')
}

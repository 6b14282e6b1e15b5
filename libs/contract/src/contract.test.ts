import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEvents, eventName, operations, pathParameters, refusals, refusalsOf, routes } from './index.ts'

const all = [...operations.values()]
/** The members that all alternatives of a union have in common. */
function membersOf(schema: z.ZodType): string[] {
  const { oneOf, properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const [first = [], ...others] = (oneOf ?? [{ properties }]).map((one) => Object.keys(one.properties ?? {}))
  return first.filter((member) => others.every((members) => members.includes(member)))
}

describe('operations', () => {
  test('an error code has the same status everywhere', () => {
    const statuses = new Map<string, Set<number>>()
    for (const { code, status } of [...all.flatMap((op) => op.errors), ...Object.values(refusals.edge)]) {
      statuses.set(code, (statuses.get(code) ?? new Set()).add(status))
    }
    expect([...statuses].filter(([, seen]) => seen.size > 1)).toEqual([])
  })

  test('no two routes share a method and path', () => {
    const taken = routes().flatMap(({ http }) =>
      [http.path, ...(http.aliases ?? [])].map((path) => `${http.method} ${path}`),
    )
    expect(new Set(taken).size).toBe(taken.length)
  })

  test.each(routes().map((route) => [route.id, route] as const))(
    '%s: path parameters are members of its input',
    (_id, route) => {
      expect(membersOf(route.input)).toEqual(expect.arrayContaining(pathParameters(route.http.path)))
    },
  )

  test('a route that takes a body and a bearer token declares the refusals of both', () => {
    const publish = routes().find(({ id }) => id === 'listings.publish')
    expect(publish && refusalsOf(publish).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['invalid_request', 'unauthorized', 'payload_too_large', 'slug_taken']),
    )
  })
})

describe('events', () => {
  test('each has a unique name and is ordered by a member of its data', () => {
    expect(new Set(allEvents.map(eventName)).size).toBe(allEvents.length)
    for (const event of allEvents) expect(membersOf(event.data)).toContain(event.key)
  })
})

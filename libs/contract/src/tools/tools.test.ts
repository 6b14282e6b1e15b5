import { describe, expect, test } from 'vitest'
import { operations } from '../registry.ts'
import { tools } from './tools.ts'

type Properties = Readonly<Record<string, { readonly description?: string }>>

test('no two tools have one name, and each name is one that every model provider takes', () => {
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
})

test('the list leaves a model its context: all tools together are shorter than four pages', () => {
  expect(JSON.stringify(tools.map(({ listed }) => listed)).length).toBeLessThan(16_000)
})

describe.each(tools)('$op.id as a tool', ({ op, listed }) => {
  const { inputSchema, annotations, description } = listed
  const properties = inputSchema.properties as Properties

  test('is an operation of the contract whose answer is all body', () => {
    expect(operations.get(op.id)).toBe(op)
    const { paid, entityTag, signed, text, sessionCookie, ok } = op.http
    expect([paid, entityTag, signed, text, sessionCookie, op.stream]).toEqual(Array(6).fill(undefined))
    expect(ok).not.toBe(204)
  })

  test('takes a bearer, or none', () => {
    expect(['none', 'bearer', 'agent']).toContain(op.http.auth)
  })

  test('says of itself and of every parameter what a model has to know, and refers to nothing outside', () => {
    expect(description.length).toBeGreaterThan(20)
    for (const [name, property] of Object.entries(properties)) expect(property.description, name).toMatch(/\S.{5,}\.$/)
    expect(JSON.stringify(inputSchema)).not.toContain('$ref')
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  test('says what it does to the world: one that only reads destroys nothing', () => {
    const { readOnlyHint, destructiveHint } = annotations
    expect(readOnlyHint).toBe(op.http.method === 'GET')
    expect(readOnlyHint && destructiveHint).toBe(false)
  })
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { pathItems } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const served = new Set<string>()
let edge: Edge

/** Records all routes given to fastify except those that stand in for others (HEAD, preflights), or refuse everything. */
const watch = (message: unknown) =>
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesAll) return
    for (const one of [method].flat()) if (!['HEAD', 'OPTIONS'].includes(one)) served.add(`${one} ${url}`)
  })

beforeAll(async () => {
  subscribe('fastify.initialization', watch)
  edge = await startEdge(inject('postgresUrl'))
  unsubscribe('fastify.initialization', watch)
})
afterAll(() => edge.stop())

const read = async (path: string) => (await (await fetch(edge.base + path)).json()) as Record<string, unknown>

test.each(['/openapi.json', '/openapi.client.json'])('%s names the served routes, and no others', async (path) => {
  const described = Object.entries(pathItems(await read(path))).flatMap(([template, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${template.replace(/\{([A-Za-z]+)\}/g, ':$1')}`),
  )
  expect(served.size).toBeGreaterThan(80)
  expect(described.toSorted()).toEqual([...served].toSorted())
})

test('the session cookie is described by the name that it has here', async () => {
  const cookie = await edge.signIn(1)
  const document = await read('/openapi.json')
  expect(document).toHaveProperty('components.securitySchemes.session.name', cookie.split('=')[0])
})

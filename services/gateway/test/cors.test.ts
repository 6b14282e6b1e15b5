import { type HttpBinding, routes } from '@callboard/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const preflight = (method: string, path: string) =>
  fetch(edge.base + path.replace(/:[A-Za-z]+/g, 'x'), {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': method },
  })
const methodsOf = (answer: Response) => answer.headers.get('access-control-allow-methods')?.split(', ') ?? []

const isOwners = ({ auth, sessionCookie }: HttpBinding) =>
  auth === 'session' || auth === 'owner' || sessionCookie !== undefined
const all = routes().map(({ http }) => [http.method, http.path, isOwners(http)] as const)

describe('a preflight', () => {
  test.each(all.filter(([, , owners]) => !owners))('%s %s may be called by any site', async (method, path) => {
    const answer = await preflight(method, path)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(methodsOf(answer)).toContain(method)
  })

  test.each(all.filter(([, , owners]) => owners))('%s %s answers no other site', async (method, path) => {
    const answer = await preflight(method, path)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('names only the open methods of the route: an agent’s DELETE of itself, but not an owner’s PATCH', async () => {
    const answer = await preflight('DELETE', '/api/agents/self')
    expect(methodsOf(answer).toSorted()).toEqual(['DELETE', 'GET', 'HEAD'])
    expect((await preflight('PATCH', '/api/agents/self')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each(['/', '/account', '/link', '/signin', '/oauth/authorize'])('%s answers no other site', async (path) => {
    for (const method of ['GET', 'POST']) {
      expect((await preflight(method, path)).headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test.each(['/%61ccount', '/%61pi/auth/session', '/account#x', '/api/auth/sessio%6E?x', '/account/%65nd'])(
    '%s, another spelling of an owner’s path, answers no other site',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await preflight(method, path)).headers.get('access-control-allow-origin')).toBeNull()
      }
    },
  )
})

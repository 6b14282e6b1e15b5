import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { ServedRoutes } from './served-routes.ts'

function serving(paths: readonly string[]) {
  const app = fastify()
  const served = new ServedRoutes()
  served.watch(app)
  for (const url of paths)
    app.route({ method: 'GET', url, exposeHeadRoute: false, config: { alias: url }, handler: () => url })
  return { app, served }
}

test.each([
  '/a/self',
  '/a/%73elf',
  '/%61/x',
  '/a/x%2Fy',
  '/a/self%2Frouter',
  '/a/self#/x',
  '/a/x',
  '/a/self/router',
  '/a/x/router',
  '/a/x/trust',
  '/a/self/y',
  '/b.c',
  '/a/self?q=/a/x',
])('%s: matches what the router chooses', async (target) => {
  const paths = ['/a/:id', '/a/self', '/a/:id/router', '/a/self/router', '/a/:id/trust', '/a/self/:more', '/b.c']
  const { app, served } = serving(paths)
  expect(served.at('GET', target)?.alias).toBe((await app.inject(target)).body)
})

test('a literal path has none of a pattern’s methods', () => {
  const app = fastify()
  const served = new ServedRoutes()
  served.watch(app)
  app.route({ method: 'PATCH', url: '/a/:id', handler: () => '' })
  app.route({ method: 'GET', url: '/a/self', exposeHeadRoute: false, handler: () => '' })
  expect(served.allowedAt('/a/self')).toEqual(['GET'])
  expect(served.allowedAt('/a/x')).toEqual(['PATCH'])
  expect(served.methodsAt('/a/self').toSorted()).toEqual(['GET', 'PATCH'])
})

test('an unknown method or path has no route', () => {
  const { served } = serving(['/a/:id', '/b.c'])
  expect(served.at('POST', '/a/x')).toBeUndefined()
  expect(served.at('GET', '/bXc')).toBeUndefined()
  expect(served.methodsAt('/a/x')).toEqual(['GET'])
  expect(served.methodsAt('/c')).toEqual([])
})

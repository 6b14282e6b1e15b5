import type { FastifyInstance } from 'fastify'

const patterns = new Map<string, RegExp>()

/** Whether a request target falls under a path with `:parameters`. */
export function matches(path: string, target: string): boolean {
  let pattern = patterns.get(path)
  if (!pattern) {
    pattern = new RegExp(`^${path.replace(/[.*]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}$`)
    patterns.set(path, pattern)
  }
  return pattern.test(target.split('?')[0] ?? '')
}

/**
 * Watches which routes are added from now on.
 * @returns the methods that a target has, when it has any: the difference between 404 and 405
 */
export function watchMethods(app: FastifyInstance): (target: string) => string[] {
  const added: { readonly path: string; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    added.push({ path: url, methods: [method].flat() })
  })
  return (target) => [...new Set(added.filter(({ path }) => matches(path, target)).flatMap(({ methods }) => methods))]
}

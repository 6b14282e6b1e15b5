import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Route } from '../context.ts'

interface Served {
  readonly path: string
  readonly pattern: RegExp
  readonly method: string
  readonly config: FastifyContextConfig
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}$`)

/** The path of a target in the spelling of the routes, as the router reads it: it decodes all but reserved characters. */
function pathOf(target: string): string {
  const path = target.split(/[?#]/)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    // The router refuses it.
    return path
  }
}

/** The router's order of preference for a path's segments: from the left, literal segments before parameters. */
const preference = ({ path }: Served): string =>
  path.replace(/[^/]+/g, (segment) => (segment.startsWith(':') ? '1' : '0'))

/** The routes that this server has: they decide preflights, and whether an answer is 404 or 405. */
export class ServedRoutes {
  readonly #routes: Served[] = []

  /** Records the routes that are added from now on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url: path, method, config = {} }) => {
      const pattern = patternOf(path)
      for (const one of [method].flat()) this.#routes.push({ path, pattern, method: one, config })
    })
  }

  /** The methods of a target, in no particular order. */
  methodsAt(target: string): string[] {
    return [...new Set(this.#matching(target).map(({ method }) => method))]
  }

  /**
   * The methods of the best match for a target: for `/agents/self`, none that only `/agents/:clientId` has, as that
   * does not mean the client called `self`.
   */
  allowedAt(target: string): string[] {
    return [...new Set(this.#chosenAt(target).map(({ method }) => method))]
  }

  /** The route of which a target is a deprecated path. */
  deprecatedAt(target: string): Route | undefined {
    return this.#chosenAt(target).find(({ config }) => config.alias !== undefined)?.config.route
  }

  #chosenAt(target: string): Served[] {
    const matching = this.#matching(target)
    const best = matching.map(preference).toSorted()[0]
    return matching.filter((route) => preference(route) === best)
  }

  /** The router's choice for a method at a target: `/agents/self` before `/agents/:clientId`. */
  at(method: string, target: string): FastifyContextConfig | undefined {
    const candidates = this.#matching(target).filter((route) => route.method === method)
    return candidates.toSorted((one, other) => (preference(one) < preference(other) ? -1 : 1))[0]?.config
  }

  #matching(target: string): Served[] {
    const path = pathOf(target)
    return this.#routes.filter(({ pattern }) => pattern.test(path))
  }
}

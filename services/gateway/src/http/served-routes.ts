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

const pathOf = (target: string): string => target.split('?')[0] ?? ''

/** A path's segments as the router prefers them: one that is written out goes before a parameter, from the left. */
const preference = ({ path }: Served): string =>
  path.replace(/[^/]+/g, (segment) => (segment.startsWith(':') ? '1' : '0'))

/** Which routes this server has: what a preflight is judged by, and what makes the difference between 404 and 405. */
export class ServedRoutes {
  readonly #routes: Served[] = []

  /** Notes the routes that are added from now on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url: path, method, config = {} }) => {
      const pattern = patternOf(path)
      for (const one of [method].flat()) this.#routes.push({ path, pattern, method: one, config })
    })
  }

  /** The methods that a target has, in no order. */
  methodsAt(target: string): string[] {
    return [...new Set(this.#matching(target).map(({ method }) => method))]
  }

  /**
   * The methods of what stands at a target: of `/agents/self`, none that `/agents/:clientId` alone has, for that is
   * not the client called `self`.
   */
  allowedAt(target: string): string[] {
    return [...new Set(this.#chosenAt(target).map(({ method }) => method))]
  }

  /** The route whose deprecated path a target is. */
  deprecatedAt(target: string): Route | undefined {
    return this.#chosenAt(target).find(({ config }) => config.alias !== undefined)?.config.route
  }

  #chosenAt(target: string): Served[] {
    const matching = this.#matching(target)
    const best = matching.map(preference).toSorted()[0]
    return matching.filter((route) => preference(route) === best)
  }

  /** What the router would choose for a method at a target: `/agents/self` goes before `/agents/:clientId`. */
  at(method: string, target: string): FastifyContextConfig | undefined {
    const candidates = this.#matching(target).filter((route) => route.method === method)
    return candidates.toSorted((one, other) => (preference(one) < preference(other) ? -1 : 1))[0]?.config
  }

  #matching(target: string): Served[] {
    const path = pathOf(target)
    return this.#routes.filter(({ pattern }) => pattern.test(path))
  }
}

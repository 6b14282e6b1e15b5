import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { presentRefusal } from '../answers/present.ts'
import { asksForPage, sendMissing } from '../pages/shell/missing-page.ts'
import { deprecate } from './deprecated.ts'
import { isModelPath, whereModelsAre } from './model-paths.ts'
import type { ServedRoutes } from './served-routes.ts'

/** Where the routes are described, for people and for programs (RFC 8631). */
const DESCRIBED =
  '</docs>; rel="service-doc"; type="text/html", </openapi.json>; rel="service-desc"; type="application/json"'

/** Whether a parameter is empty: the router reads `/api/agents/` as an agent without a name. */
const hasEmptyParameter = ({ params }: FastifyRequest): boolean => Object.values(params as object).includes('')

const noSuchRoute = (origin: string): string => `There is no such route. ${origin}/docs lists all routes.`

/**
 * Answers requests that no route takes, before their body is read: 404, or 405 with the path's methods. That includes
 * an OPTIONS that is not a preflight: crawlers take any 2xx for free access to a paid path. OPTIONS for the server is
 * 204.
 */
export function takeUnserved(app: FastifyInstance, served: ServedRoutes): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method === 'OPTIONS' && request.url === '*') return reply.code(204).send()
    const allowed = served.allowedAt(request.url)
    const deprecated = served.deprecatedAt(request.url)
    if (deprecated) deprecate(reply, deprecated)
    reply.header('link', [reply.getHeader('link'), DESCRIBED].filter(Boolean).join(', '))
    if (allowed.length === 0) {
      if (asksForPage(request)) return sendMissing(reply)
      const { publicOrigin } = app
      const message = isModelPath(request.url) ? whereModelsAre(publicOrigin) : noSuchRoute(publicOrigin)
      return presentRefusal(request, reply, { refusal: 'not_found', message })
    }
    reply.header('allow', allowed.join(', '))
    return presentRefusal(request, reply, { refusal: 'method_not_allowed' })
  }
  app.addHook('onRequest', (request, reply, goOn) => {
    // Preflights have been answered before this.
    if (request.is404 || request.method === 'OPTIONS' || hasEmptyParameter(request)) answer(request, reply)
    else goOn()
  })
  app.setNotFoundHandler(answer)
}

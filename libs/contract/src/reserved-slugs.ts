import { routes } from './routes.ts'

/** Path parameters that hold a listing's slug. */
const SLUG_PARAMETERS: ReadonlySet<string> = new Set([':slug', ':serviceId'])

/** Words in place of a slug that no operation serves yet, or that a page serves; and our own listing. */
const NOT_IN_THE_TABLE: readonly string[] = ['feed', 'invoke', 'x402-decode']

/**
 * Slugs that no listing may have, because a route has that word in place of a slug: `search` of `/api/calls/search`
 * would shadow `/api/calls/:serviceId`. Derived from the routes, so that declaring a route reserves its word.
 */
export function reservedSlugs(): ReadonlySet<string> {
  const paths = routes().flatMap(({ http }) => [http.path, ...(http.aliases ?? [])].map((path) => path.split('/')))
  const words = paths.flatMap((beside) =>
    paths.flatMap((path) => {
      const at = path.findIndex((segment) => SLUG_PARAMETERS.has(segment))
      const word = at === -1 ? undefined : beside[at]
      const isBeside = word !== undefined && path.slice(0, at).join('/') === beside.slice(0, at).join('/')
      return isBeside && !word.startsWith(':') ? [word] : []
    }),
  )
  return new Set([...words, ...NOT_IN_THE_TABLE])
}

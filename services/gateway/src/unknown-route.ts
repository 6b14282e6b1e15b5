import { routes } from '@callboard/contract'

const patterns = new Map<string, RegExp>()

/** Whether a request target falls under a contract path with `:parameters`. */
export function matches(path: string, target: string): boolean {
  let pattern = patterns.get(path)
  if (!pattern) {
    pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`)
    patterns.set(path, pattern)
  }
  return pattern.test(target.split('?')[0] ?? '')
}

/** The methods that a path has, when it has any: the difference between 404 and 405. */
export function methodsAt(target: string): string[] {
  const methods = routes()
    .filter(({ http }) => [http.path, ...(http.aliases ?? [])].some((path) => matches(path, target)))
    .flatMap(({ http }) => (http.method === 'GET' && http.limit !== 'nonce' ? ['GET', 'HEAD'] : [http.method]))
  return [...new Set(methods)]
}

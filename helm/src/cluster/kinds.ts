import type { KubeApi } from './api.ts'

/** A kind of object, from the server's discovery. */
export interface Kind {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly isListed: boolean
}

interface ApiResource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

const root = (apiVersion: string) => (apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`)

/** The path of a kind's objects. @param namespace for kinds that have one */
export const collectionOf = ({ apiVersion, plural, namespaced }: Kind, namespace: string): string =>
  `${root(apiVersion)}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`

/** Every kind that the server knows, without subresources. */
export async function discover(api: KubeApi): Promise<Kind[]> {
  const { groups } = await api.get('/apis')
  const versions = groups.flatMap((group: { versions: { groupVersion: string }[] }) =>
    group.versions.map(({ groupVersion }) => groupVersion),
  )
  const lists = await Promise.all(
    ['v1', ...versions].map(async (apiVersion: string) => ({ ...(await api.get(root(apiVersion))), apiVersion })),
  )
  return lists.flatMap(({ apiVersion, resources }) =>
    (resources as ApiResource[])
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced, verbs }) => ({
        apiVersion,
        kind,
        plural: name,
        namespaced,
        isListed: verbs.includes('list'),
      })),
  )
}

/** @throws Error where the server does not know it */
export function kindOf(
  kinds: readonly Kind[],
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Kind {
  const found = kinds.find((one) => one.apiVersion === apiVersion && one.kind === kind)
  if (!found) throw new Error(`The server knows no ${kind} of ${apiVersion}.`)
  return found
}

import { until } from '@callboard/testkit/until'
import type { KubeApi } from './api.ts'
import { collectionOf, type Kind } from './kinds.ts'

const ENFORCED = 'restricted'

/** Creates a namespace that enforces the strictest Pod Security Standard, and also warns about violations. */
export async function makeNamespace(api: KubeApi, name: string): Promise<void> {
  const labels = Object.fromEntries(['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, ENFORCED]))
  await api.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`
  await until('pods have a service account', async () => (await api.ask('GET', path)).status === 200, 60_000)
}

/** An object by kind and name. */
export interface Named {
  readonly kind: string
  readonly name: string
}

/** Objects that Kubernetes creates in every namespace; events are a log, and expire on their own. */
const OF_KUBERNETES: readonly Named[] = [
  { kind: 'ServiceAccount', name: 'default' },
  { kind: 'ConfigMap', name: 'kube-root-ca.crt' },
]

/** The leftovers of a release, in words. */
export const leftBehind = (objects: readonly Named[]): string[] =>
  objects
    .filter(
      ({ kind, name }) => kind !== 'Event' && !OF_KUBERNETES.some((one) => one.kind === kind && one.name === name),
    )
    .map(({ kind, name }) => `${kind} ${name}`)
    .sort()

/** Every object in a namespace, of any kind. */
export async function objectsIn(api: KubeApi, kinds: readonly Kind[], namespace: string): Promise<Named[]> {
  const listed = kinds.filter(({ namespaced, isListed }) => namespaced && isListed)
  const lists = await Promise.all(
    listed.map(async (kind) => {
      const { items } = await api.get(collectionOf(kind, namespace))
      return items.map(({ metadata }: { metadata: { name: string } }) => ({ kind: kind.kind, name: metadata.name }))
    }),
  )
  return lists.flat()
}

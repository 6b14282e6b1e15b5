import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, freePort, startChild } from '@callboard/embedded'
import { until } from '@callboard/testkit/until'
import { ROOT } from '@callboard/tools/generated-files'
import { parse } from 'yaml'
import type { KubeApi } from '../api.ts'
import type { Place } from '../release.ts'

const NAMESPACE = 'monitoring'
const READY_WITHIN_MS = 60_000

/** The APIs from which a HorizontalPodAutoscaler reads its numbers. */
const APIS = ['external.metrics.k8s.io', 'metrics.k8s.io'] as const
const VERSION = 'v1beta1'

interface Options extends Pick<Place, 'api' | 'kubeconfig' | 'folder'> {
  /** The executable of prometheus-adapter. */
  readonly program: string
  readonly prometheusUrl: string
  readonly log: (line: string) => void
}

/**
 * Starts prometheus-adapter with the rules for operators, and registers it with the API server: for our metrics, and
 * instead of metrics-server for the use of pods.
 * @returns a function that ends both
 */
export async function startMetricsApi({ api, kubeconfig, folder, ...options }: Options): Promise<() => Promise<void>> {
  const port = await freePort()
  const config = join(folder, 'prometheus-adapter.json')
  writeFileSync(config, JSON.stringify(adapterConfig()))
  const child: Child = await startChild({
    what: 'prometheus-adapter',
    command: options.program,
    args: [
      ...['--config', config, '--prometheus-url', options.prometheusUrl, '--metrics-relist-interval=2s'],
      ...['--secure-port', String(port), '--bind-address=127.0.0.1', '--cert-dir', join(folder, 'adapter')],
      ...['--lister-kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig],
      // The API server presents no certificate to it: all requests come through the API server.
      ...['--authorization-kubeconfig', kubeconfig, '--authentication-skip-lookup'],
    ],
    ready: /Serving securely/,
    log: (line: string) => options.log(`prometheus-adapter: ${line}`),
    readyWithinMs: READY_WITHIN_MS,
    stopSignal: 'SIGTERM',
    stopWithinMs: 15_000,
  })
  const registered = APIS.map((group) => `/apis/apiregistration.k8s.io/v1/apiservices/${VERSION}.${group}`)
  // An API without a server would break every client that lists the APIs.
  const end = async () => {
    for (const path of registered) await api.ask('DELETE', path)
    await child.stop()
  }
  try {
    for (const [path, object] of objectsFor(port)) await api.must('POST', path, object)
    for (const path of registered) await available(api, path)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** The rules for operators, from the values for its chart, in its own file's format, and the use of pods. */
function adapterConfig(): object {
  const text = readFileSync(join(ROOT, 'deploy/monitoring/prometheus-adapter.yaml'), 'utf8')
  const { rules } = parse(text) as { readonly rules: { readonly external: readonly object[] } }
  const used = (metric: string) => ({
    containerQuery: `sum by (<<.GroupBy>>) (${metric}{<<.LabelMatchers>>})`,
    nodeQuery: `sum by (<<.GroupBy>>) (${metric}{<<.LabelMatchers>>})`,
    resources: {
      overrides: { namespace: { resource: 'namespace' }, pod: { resource: 'pod' }, node: { resource: 'node' } },
    },
    containerLabel: 'container',
  })
  return {
    externalRules: rules.external,
    resourceRules: { cpu: used('played_cpu_cores'), memory: used('played_memory_bytes'), window: '1s' },
  }
}

const objectsFor = (port: number): readonly (readonly [string, object])[] => {
  const service = { name: 'prometheus-adapter', namespace: NAMESPACE, port }
  const role = { name: 'metrics-reader' }
  const rbac = 'rbac.authorization.k8s.io'
  return [
    ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }],
    [
      `/api/v1/namespaces/${NAMESPACE}/services`,
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: service.name },
        spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
      },
    ],
    [
      `/apis/${rbac}/v1/clusterroles`,
      {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRole',
        metadata: role,
        rules: [
          { apiGroups: APIS, resources: ['*'], verbs: ['get', 'list'] },
          { nonResourceURLs: ['/apis/*'], verbs: ['get'] },
        ],
      },
    ],
    [
      `/apis/${rbac}/v1/clusterrolebindings`,
      {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: role,
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', ...role },
        subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:unauthenticated' }],
      },
    ],
    ...APIS.map(
      (group) =>
        [
          '/apis/apiregistration.k8s.io/v1/apiservices',
          {
            apiVersion: 'apiregistration.k8s.io/v1',
            kind: 'APIService',
            metadata: { name: `${VERSION}.${group}` },
            spec: {
              ...{ service, group, version: VERSION, insecureSkipTLSVerify: true },
              ...{ groupPriorityMinimum: 100, versionPriority: 100 },
            },
          },
        ] as const,
    ),
  ]
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message: string
}

/** @throws Error with the API server's message where it cannot reach the adapter */
async function available(api: KubeApi, path: string): Promise<void> {
  let seen: Condition | undefined
  const isAvailable = async () => {
    const { status } = await api.get(path)
    seen = status?.conditions?.find(({ type }: Condition) => type === 'Available')
    return seen?.status === 'True'
  }
  await until('it is available', isAvailable, READY_WITHIN_MS).catch(() => {
    throw new Error(`${path}: ${seen?.message ?? 'the API server says nothing of it'}`)
  })
}

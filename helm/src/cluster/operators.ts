import { until } from '@callboard/testkit/until'
import type { KubeApi } from './api.ts'

/**
 * Kinds of operators that the examples use. The server stores their objects unchecked, since their schemas are not
 * here: `helm/test/rendering.test.ts` checks those against the operators' models.
 */
const KINDS = [
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['postgresql.cnpg.io', 'v1', 'Cluster', 'clusters'],
  ['postgresql.cnpg.io', 'v1', 'Pooler', 'poolers'],
] as const

const definitionOf = ([group, version, kind, plural]: (typeof KINDS)[number]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.${group}`,
    // Kubernetes' own API groups require an annotation that says who approved them.
    annotations: group.endsWith('.k8s.io') ? { 'api-approved.kubernetes.io': 'unapproved, it has no schema' } : {},
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

/** Registers the operators' kinds with the server. */
export async function defineOperatorKinds(api: KubeApi): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const kind of KINDS) await api.must('POST', path, definitionOf(kind))
  for (const [group, version, , plural] of KINDS)
    await until(
      `${plural} are served`,
      async () => (await api.ask('GET', `/apis/${group}/${version}/${plural}`)).status === 200,
      60_000,
    )
}

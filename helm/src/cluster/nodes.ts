/** Zones of the simulated cluster, and nodes in each: if a node goes, its zone stays. */
export const ZONES = ['zone-a', 'zone-b', 'zone-c'] as const
const NODES_OF_ZONE = 2

export const ZONE_LABEL = 'topology.kubernetes.io/zone'

/** The nodes as objects: KWOK reports for each what a kubelet would, without a machine. */
export const simulatedNodes = () =>
  ZONES.flatMap((zone) =>
    Array.from({ length: NODES_OF_ZONE }, (_, at) => {
      const name = `${zone}-${at + 1}`
      const room = { cpu: '16', memory: '64Gi', pods: '110', 'ephemeral-storage': '100Gi' }
      return {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { [ZONE_LABEL]: zone, 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
        status: { allocatable: room, capacity: room },
      }
    }),
  )

const POD = { resourceRef: { apiGroup: 'v1', kind: 'Pod' } }
const LIVING = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }

const containers = (state: string) => `
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  restartCount: 0
  ${state}
{{ end }}`

const stage = (name: string, matchExpressions: readonly object[], next: object) => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name },
  spec: { ...POD, selector: { matchExpressions }, next },
})

/** Pods that end on their own: those of a Job, and the one that `helm test` creates. */
const ENDING = [
  { name: 'job', key: '.metadata.ownerReferences.[].kind', value: 'Job' },
  { name: 'helm-test', key: '.metadata.annotations."helm.sh/hook"', value: 'test' },
]

/**
 * The life of a pod on a simulated node: it is ready at once, succeeds if it is one that ends, and is removed when
 * deleted. Its image does not run.
 */
export const podStages = (): readonly object[] => [
  stage('pod-ready', [LIVING, { key: '.status.podIP', operator: 'DoesNotExist' }], {
    statusTemplate: `
{{ $now := Now }}
conditions:
${['Initialized', 'ContainersReady', 'Ready'].map((type) => `- { type: ${type}, status: "True", lastTransitionTime: {{ $now | Quote }} }`).join('\n')}
${containers('ready: true\n  state: { running: { startedAt: {{ $now | Quote }} } }')}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace | Quote }}
phase: Running
startTime: {{ $now | Quote }}`,
  }),
  ...ENDING.map(({ name, key, value }) =>
    stage(
      `pod-complete-${name}`,
      [LIVING, { key: '.status.phase', operator: 'In', values: ['Running'] }, { key, operator: 'In', values: [value] }],
      {
        statusTemplate: `
{{ $now := Now }}
${containers('ready: false\n  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }')}
phase: Succeeded`,
      },
    ),
  ),
  stage('pod-delete', [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }], {
    finalizers: { empty: true },
    delete: true,
  }),
]

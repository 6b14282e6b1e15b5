import { describe, expect, test } from 'vitest'
import { examples, findHelm, type KubeObject, MINIMAL } from '../src/chart.ts'
import { ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

const podOf = (object: KubeObject) => (object.kind === 'Pod' ? object.spec : object.spec.template.spec)
const withPods = (objects: readonly KubeObject[]) =>
  objects.filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind))

describe.skipIf(!helm)('pods', () => {
  const all = [...examples()].flatMap(([, file]) => (helm ? [render(program, file)] : []))
  const minimal = helm ? render(program, MINIMAL) : []

  test('no pod runs as root, writes to its root, gains privileges or holds a cluster token', () => {
    for (const object of all.flatMap(withPods)) {
      const pod = podOf(object)
      expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.automountServiceAccountToken).toBe(false)
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.requests).toBeDefined()
        expect(container.resources.limits.memory).toBeDefined()
        expect(container.image).not.toMatch(/:latest$/)
      }
    }
  })

  test('liveness probes /livez, which outages elsewhere do not fail; startup and readiness probe /readyz', () => {
    for (const object of all.flatMap((objects) => ofKind(objects, 'Deployment'))) {
      const [container] = podOf(object).containers
      expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'admin' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container.startupProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container.ports).toContainEqual({ name: 'admin', containerPort: 9464 })
    }
  })

  test('a pod’s grace period exceeds its shutdown delay and the time for its work to finish', () => {
    for (const object of all.flatMap((objects) => ofKind(objects, 'Deployment'))) {
      const pod = podOf(object)
      const ms = (setting: string) =>
        Number(pod.containers[0].env.find(({ name }: { name: string }) => name === setting).value)
      expect(ms('SHUTDOWN_DELAY_MS')).toBeGreaterThan(0)
      expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
        ms('SHUTDOWN_DELAY_MS') + ms('SHUTDOWN_GRACE_MS'),
      )
    }
  })

  test('the operator’s stream settings reach the migration Job, which applies them', () => {
    const settings = { NATS_STREAM_REPLICAS: 3, NATS_STREAM_MAX_BYTES: 20_000_000_000, LOG_LEVEL: 'debug' }
    const [job] = ofKind(render(program, MINIMAL, { settings }), 'Job')
    const env: { name: string; value?: string }[] = job ? podOf(job).containers[0].env : []
    expect(env.filter(({ value }) => value)).toEqual([
      { name: 'CALLBOARD_DATA', value: '/tmp/callboard' },
      { name: 'NATS_STREAM_REPLICAS', value: '3' },
      { name: 'NATS_STREAM_MAX_BYTES', value: '20000000000' },
    ])
  })

  test('so do those that stand among what every target has', () => {
    const defaults = { settings: { NATS_STREAM_MAX_AGE_DAYS: 30 } }
    const [job] = ofKind(render(program, MINIMAL, { settings: { NATS_STREAM_MAX_AGE_DAYS: 7 }, defaults }), 'Job')
    const env: { name: string; value?: string }[] = job ? podOf(job).containers[0].env : []
    expect(env).toContainEqual({ name: 'NATS_STREAM_MAX_AGE_DAYS', value: '30' })
  })

  test('a pod that waits for the migration step is not killed before that step’s deadline', () => {
    for (const object of ofKind(minimal, 'Deployment')) {
      const { periodSeconds, failureThreshold } = podOf(object).containers[0].startupProbe
      expect(periodSeconds * failureThreshold).toBeGreaterThan(
        ofKind(minimal, 'Job')[0]?.spec.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY,
      )
    }
  })

  test('nor has its rollout failed while it may still start', () => {
    const slow = { probes: { startup: { initialDelaySeconds: 30, failureThreshold: 900 } } }
    for (const object of [...minimal, ...render(program, MINIMAL, { defaults: slow })].filter(
      ({ kind }) => kind === 'Deployment',
    )) {
      const { initialDelaySeconds = 0, periodSeconds, failureThreshold } = podOf(object).containers[0].startupProbe
      expect(object.spec.progressDeadlineSeconds).toBeGreaterThan(
        initialDelaySeconds + periodSeconds * failureThreshold,
      )
    }
  })

  test('pods that have IPv6 addresses can listen on them', () => {
    for (const [objects, address] of [
      [minimal, '0.0.0.0'],
      // As of an older chart, whose values `helm upgrade --reuse-values` keeps.
      [render(program, MINIMAL, { listenOn: null }), '0.0.0.0'],
      [render(program, MINIMAL, { listenOn: '::' }), '::'],
    ] as const) {
      for (const object of ofKind(objects, 'Deployment')) {
        const { env, ports } = podOf(object).containers[0]
        expect(env).toContainEqual({ name: 'ADMIN_HOST', value: address })
        if (ports.length > 1) expect(env).toContainEqual({ name: 'HOST', value: address })
      }
    }
  })

  test('the migration step and helm test run where every target may run', () => {
    const scheduling = {
      nodeSelector: { pool: 'callboard' },
      tolerations: [{ key: 'pool', operator: 'Equal', value: 'callboard', effect: 'NoSchedule' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'business-critical',
    }
    const everywhere = render(program, MINIMAL, { defaults: scheduling })
    for (const object of withPods(everywhere)) expect(podOf(object), object.metadata.name).toMatchObject(scheduling)
    const own = { nodeSelector: { pool: 'jobs' }, priorityClassName: 'low' }
    const [job] = ofKind(render(program, MINIMAL, { defaults: scheduling, migrations: own }), 'Job')
    expect(podOf(job as KubeObject)).toMatchObject({ ...scheduling, ...own })
    for (const object of minimal.filter(({ kind }) => ['Job', 'Pod'].includes(kind)))
      for (const field of Object.keys(scheduling)) expect(podOf(object)).not.toHaveProperty(field)
  })

  test('the migration step reads the certificates of the operator’s own authority, too', () => {
    const certificates = {
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/callboard/authority/ca.crt' }],
      extraVolumes: [{ name: 'authority', configMap: { name: 'authority' } }],
      extraVolumeMounts: [{ name: 'authority', mountPath: '/etc/callboard/authority', readOnly: true }],
    }
    const more = { podLabels: { 'sidecar.istio.io/inject': 'false' }, podAnnotations: { note: 'kept' } }
    const objects = render(program, MINIMAL, { defaults: certificates, migrations: { ...certificates, ...more } })
    for (const object of objects.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
      const { containers, volumes } = podOf(object)
      expect(containers[0].env).toContainEqual(certificates.extraEnv[0])
      expect(containers[0].volumeMounts).toContainEqual(certificates.extraVolumeMounts[0])
      expect(volumes).toContainEqual(certificates.extraVolumes[0])
    }
    const [job] = ofKind(objects, 'Job')
    expect(job?.spec.template.metadata).toMatchObject({ labels: more.podLabels, annotations: more.podAnnotations })
  })

  test('a new chart version alone changes no pod label', () => {
    for (const object of ofKind(minimal, 'Deployment')) {
      const { labels } = object.spec.template.metadata
      expect(labels).not.toHaveProperty('helm.sh/chart')
      expect(labels).toMatchObject(object.spec.selector.matchLabels)
    }
    const tagged = ofTarget(render(program, MINIMAL, { image: { tag: 'v9.8.7' } }), 'Deployment', 'gateway')
    expect(tagged.spec.template.metadata.labels['app.kubernetes.io/version']).toBe('v9.8.7')
  })

  test('each revision is spread over nodes and zones separately', () => {
    for (const object of ofKind(minimal, 'Deployment')) {
      const constraints = podOf(object).topologySpreadConstraints as { topologyKey: string; matchLabelKeys: string[] }[]
      expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ])
      for (const { matchLabelKeys } of constraints) expect(matchLabelKeys).toEqual(['pod-template-hash'])
    }
  })

  test('the gateway keeps all its replicas during a rollout', () => {
    const { strategy } = ofTarget(minimal, 'Deployment', 'gateway').spec
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
  })

  test('there is a disruption budget exactly where there is more than one replica', () => {
    expect(ofKind(minimal, 'PodDisruptionBudget').length).toBe(ofKind(minimal, 'Deployment').length)
    for (const { spec } of ofKind(minimal, 'PodDisruptionBudget'))
      expect(spec.unhealthyPodEvictionPolicy).toBe('AlwaysAllow')
    const single = render(program, MINIMAL, { defaults: { replicas: 1 } })
    expect(ofKind(single, 'PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(['cb-callboard-gateway'])
  })

  test('the migration step is a Job of the revision that runs --migrate, a hook, or absent', () => {
    const [job] = ofKind(minimal, 'Job')
    expect(job?.metadata.name).toBe('cb-callboard-migrate-1')
    expect(job?.metadata.annotations).toBeUndefined()
    expect(podOf(job as KubeObject).containers[0].command).toEqual(['node', 'services/all/src/main.ts', '--migrate'])
    const [hook] = ofKind(render(program, MINIMAL, { migrations: { mode: 'hook' } }), 'Job')
    expect(hook?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
    expect(hook?.metadata.name, 'the next one takes its place').toBe('cb-callboard-migrate')
    expect(ofKind(render(program, MINIMAL, { migrations: { mode: 'none' } }), 'Job')).toEqual([])
  })

  test('helm test calls the gateway through its Service', () => {
    const [pod] = ofKind(minimal, 'Pod')
    expect(pod?.metadata.annotations?.['helm.sh/hook']).toBe('test')
    const service = ofTarget(minimal, 'Service', 'gateway')
    expect(podOf(pod as KubeObject).containers[0].command.at(-1)).toBe(
      `http://${service.metadata.name}:${service.spec.ports[0].port}/api/call/stats`,
    )
  })
})

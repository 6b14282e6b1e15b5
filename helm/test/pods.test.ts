import { describe, expect, test } from 'vitest'
import { examples, findHelm, type KubeObject, MINIMAL, ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

const podOf = (object: KubeObject) => (object.kind === 'Pod' ? object.spec : object.spec.template.spec)
const withPods = (objects: readonly KubeObject[]) =>
  objects.filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind))

describe.skipIf(!helm)('pods', () => {
  const all = [...examples()].flatMap(([, file]) => (helm ? [render(program, file)] : []))
  const minimal = helm ? render(program, MINIMAL) : []

  test('none runs as root, writes to its root, gains a privilege or holds a token of the cluster', () => {
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

  test('liveness asks /livez, which no outage of others fails; start and traffic ask /readyz', () => {
    for (const object of all.flatMap((objects) => ofKind(objects, 'Deployment'))) {
      const [container] = podOf(object).containers
      expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'admin' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container.startupProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container.ports).toContainEqual({ name: 'admin', containerPort: 9464 })
    }
  })

  test('a pod gets longer to end than its endpoints take to forget it and its work takes to finish', () => {
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

  test('the gateway never has fewer replicas than before while it is rolled', () => {
    const { strategy } = ofTarget(minimal, 'Deployment', 'gateway').spec
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
  })

  test('there is a disruption budget exactly where there is more than one replica', () => {
    expect(ofKind(minimal, 'PodDisruptionBudget').length).toBe(ofKind(minimal, 'Deployment').length)
    const single = render(program, MINIMAL, { defaults: { replicas: 1 } })
    expect(ofKind(single, 'PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(['cb-callboard-gateway'])
  })

  test('the migration step is a Job of the revision that runs --migrate, a hook, or absent', () => {
    const [job] = ofKind(minimal, 'Job')
    expect(job?.metadata.name).toBe('cb-callboard-migrate-1')
    expect(job?.metadata.annotations).toBeUndefined()
    expect(podOf(job as KubeObject).containers[0].command).toEqual(['node', 'services/all/src/main.ts', '--migrate'])
    const [hook] = ofKind(render(program, MINIMAL, { migrations: { mode: 'hook' } }), 'Job')
    expect(hook?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    expect(ofKind(render(program, MINIMAL, { migrations: { mode: 'none' } }), 'Job')).toEqual([])
  })

  test('helm test asks the gateway through its Service', () => {
    const [pod] = ofKind(minimal, 'Pod')
    expect(pod?.metadata.annotations?.['helm.sh/hook']).toBe('test')
    const service = ofTarget(minimal, 'Service', 'gateway')
    expect(podOf(pod as KubeObject).containers[0].command.at(-1)).toBe(
      `http://${service.metadata.name}:${service.spec.ports[0].port}/api/call/stats`,
    )
  })
})

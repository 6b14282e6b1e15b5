import { operations } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { examples, findHelm, MINIMAL } from '../src/chart.ts'
import { ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''
const example = (name: string) => render(program, examples().get(name) ?? '')

const routes = [...operations.values()].filter(({ http }) => http)
const LONGEST_SECONDS = Math.max(...routes.map(({ timeoutMs }) => timeoutMs)) / 1_000
const LARGEST_BYTES = Math.max(...routes.map(({ maxRequestBytes = 0 }) => maxRequestBytes))

describe.skipIf(!helm)('the ways in', () => {
  test('the example of an Ingress lets through the largest request and the longest call of the contract', () => {
    const [ingress] = ofKind(example('ingress'), 'Ingress')
    const nginx = (name: string) => ingress?.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`] ?? ''
    expect(nginx('proxy-body-size')).toMatch(/^\d+m$/)
    expect(Number.parseInt(nginx('proxy-body-size'), 10) * 2 ** 20).toBeGreaterThanOrEqual(LARGEST_BYTES)
    expect(Number(nginx('proxy-read-timeout'))).toBeGreaterThan(LONGEST_SECONDS)
  })

  test('so does that of a Gateway', () => {
    const [route] = ofKind(example('http-route'), 'HTTPRoute')
    const [, seconds] = /^(\d+)s$/.exec(route?.spec.rules[0].timeouts.request) ?? []
    expect(Number(seconds)).toBeGreaterThan(LONGEST_SECONDS)
  })

  test('where an example trusts a number of proxies, nothing but a proxy reaches the gateway', () => {
    let trusting = 0
    for (const [name, file] of examples()) {
      const objects = render(program, file)
      const { env } = ofTarget(objects, 'Deployment', 'gateway').spec.template.spec.containers[0]
      const proxies = env.find((one: { name: string }) => one.name === 'TRUST_PROXY')?.value
      if (!/^\d+$/.test(proxies ?? '')) continue
      trusting++
      expect(ofTarget(objects, 'Service', 'gateway').spec.type, name).toBe('ClusterIP')
      expect(ofTarget(objects, 'NetworkPolicy', 'gateway').spec.ingress[0].from, name).toBeDefined()
    }
    expect(trusting).toBeGreaterThan(0)
  })

  test('by a load balancer the gateway sees its clients’ addresses, and not the nodes’', () => {
    const specOf = (service: object) => ofTarget(render(program, MINIMAL, { service }), 'Service', 'gateway').spec
    const type = 'LoadBalancer'
    expect(specOf({ type })).toMatchObject({ type, externalTrafficPolicy: 'Local' })
    // A proxy before the nodes may ask one that runs no gateway.
    expect(specOf({ type: 'NodePort' })).toMatchObject({ type: 'NodePort', externalTrafficPolicy: 'Cluster' })
    for (const externalTrafficPolicy of ['Local', 'Cluster'])
      for (const type of ['LoadBalancer', 'NodePort'])
        expect(specOf({ type, externalTrafficPolicy })).toMatchObject({ type, externalTrafficPolicy })
  })

  test('within the cluster there is no such policy, which Kubernetes would refuse', () => {
    expect(ofTarget(render(program, MINIMAL), 'Service', 'gateway').spec).not.toHaveProperty('externalTrafficPolicy')
  })
})

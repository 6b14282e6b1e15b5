import { describe, expect, test } from 'vitest'
import { findHelm, MINIMAL } from '../src/chart.ts'
import { ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

describe.skipIf(!helm)('the ways in', () => {
  test.each(['LoadBalancer', 'NodePort'])(
    'by a %s the gateway sees its clients’ addresses, and not the nodes’',
    (type) => {
      const { spec } = ofTarget(render(program, MINIMAL, { service: { type } }), 'Service', 'gateway')
      expect(spec).toMatchObject({ type, externalTrafficPolicy: 'Local' })
      const service = { type, externalTrafficPolicy: 'Cluster' }
      expect(ofTarget(render(program, MINIMAL, { service }), 'Service', 'gateway').spec).toMatchObject(service)
    },
  )

  test('within the cluster there is no such policy, which Kubernetes would refuse', () => {
    expect(ofTarget(render(program, MINIMAL), 'Service', 'gateway').spec).not.toHaveProperty('externalTrafficPolicy')
  })
})

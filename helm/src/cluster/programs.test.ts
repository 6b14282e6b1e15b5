import { expect, test } from 'vitest'
import { kubernetesVersion, requiredVersion } from './programs.ts'

const GO_MOD = `module callboard.example/cluster

replace k8s.io/api => k8s.io/api v0.34.4

require sigs.k8s.io/prometheus-adapter v0.12.0

require (
	k8s.io/kubernetes v1.34.4
	sigs.k8s.io/kwok v0.6.1 // indirect
)
`

test('default: the version at which a module is required', () => {
  expect(requiredVersion(GO_MOD, 'k8s.io/kubernetes')).toBe('v1.34.4')
  expect(requiredVersion(GO_MOD, 'sigs.k8s.io/kwok')).toBe('v0.6.1')
  expect(requiredVersion(GO_MOD, 'sigs.k8s.io/prometheus-adapter')).toBe('v0.12.0')
})

test('error: a module that is replaced but not required', () => {
  expect(() => requiredVersion(GO_MOD, 'k8s.io/api')).toThrow('go.mod does not require k8s.io/api')
})

test('the built version is the one that the chart is rendered for elsewhere', () => {
  expect(kubernetesVersion()).toMatch(/^v1\.34\./)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../src/chart.ts'
import { unknownFields, validate } from './models.ts'

const objects = parseAllDocuments(readFileSync(join(ROOT, 'deploy/kubernetes/servers.yaml'), 'utf8')).map(
  (document) => document.toJS() as KubeObject,
)
const named = objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const)
const pods = objects
  .filter(({ kind }) => kind === 'StatefulSet')
  .map(({ metadata, spec }) => ({ metadata, ...spec.template.spec }))

test.each(named)('%s is valid', (_name, object) => validate(object))

test('no object has a field that Kubernetes does not know', () => expect(unknownFields(named)).toEqual([]))

test('each server runs as non-root, without privileges, on a read-only root file system', () => {
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(['postgres', 'nats', 'redis'])
  for (const { automountServiceAccountToken, securityContext, containers } of pods) {
    expect(automountServiceAccountToken).toBe(false)
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      })
    }
  }
})

test('each server has a Service on its port, which only Callboard’s pods may use', () => {
  const ports = pods.flatMap(({ containers }) => containers[0].ports[0].containerPort)
  const services = objects.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec.ports[0].port)
  expect(services).toEqual(ports)
  const policy = objects.find(({ kind }) => kind === 'NetworkPolicy')?.spec
  expect(policy.ingress[0].ports.map(({ port }: { port: number }) => port)).toEqual(ports)
  expect(policy.ingress[0].from).toEqual([
    { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'callboard' } } },
  ])
})

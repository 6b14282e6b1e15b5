import { expect, test } from 'vitest'
import { leftBehind } from './namespace.ts'

test('default: the objects of every namespace, and events, are not left behind', () => {
  const own = [
    { kind: 'ServiceAccount', name: 'default' },
    { kind: 'ConfigMap', name: 'kube-root-ca.crt' },
    { kind: 'Event', name: 'cb-callboard-gateway.1' },
  ]
  expect(leftBehind(own)).toEqual([])
})

test('behavior: everything else is left behind, even under a name that another kind has', () => {
  const objects = [
    { kind: 'Secret', name: 'default' },
    { kind: 'Job', name: 'cb-callboard-migrate-1' },
  ]
  expect(leftBehind(objects)).toEqual(['Job cb-callboard-migrate-1', 'Secret default'])
})

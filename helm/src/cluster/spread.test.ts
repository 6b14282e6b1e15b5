import { describe, expect, test } from 'vitest'
import type { Pod, SpreadConstraint } from './release.ts'
import { skews } from './spread.ts'

const ZONE_OF: Readonly<Record<string, string>> = { a1: 'a', a2: 'a', b1: 'b', c1: 'c' }
const zones = () => ({ all: ['a', 'b', 'c'], of: (node: string) => ZONE_OF[node] ?? '' })

const constraint: SpreadConstraint = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'router' } },
}

const podsOn = (
  nodes: readonly string[],
  more: Partial<SpreadConstraint> = {},
  labels: Record<string, string> = {},
): Pod[] =>
  nodes.map((nodeName, at) => ({
    metadata: { name: `router-${at}`, labels: { app: 'router', ...labels } },
    spec: { nodeName, topologySpreadConstraints: [{ ...constraint, ...more }] },
    status: { phase: 'Running' },
  }))

const skewOf = (pods: readonly Pod[]) => skews(pods, zones).map(({ skew }) => skew)

describe('skews', () => {
  test('default: one constraint of many pods counts once, with the nodes of a zone combined', () => {
    expect(skews(podsOn(['a1', 'b1', 'c1', 'a2']), zones)).toEqual([
      { of: 'zone of {"app":"router"}', hard: true, maxSkew: 1, skew: 1 },
    ])
  })

  test('behavior: a zone without a pod counts as the emptiest', () => {
    expect(skewOf(podsOn(['a1', 'a2', 'b1']))).toEqual([2])
  })

  test('behavior: pods outside the selector are not counted', () => {
    expect(skewOf([...podsOn(['a1', 'b1', 'c1']), ...podsOn(['a1', 'a2'], {}, { app: 'gateway' })])).toEqual([0])
  })

  test('behavior: with matchLabelKeys every revision is counted separately', () => {
    const keyed = { matchLabelKeys: ['hash'] }
    const two = [...podsOn(['a1', 'b1', 'c1'], keyed, { hash: '1' }), ...podsOn(['a1', 'a2'], keyed, { hash: '2' })]
    expect(skewOf(two)).toEqual([0, 2])
  })

  test('behavior: pods without a constraint have no skew', () => {
    const [pod] = podsOn(['a1'])
    expect(skewOf(pod ? [{ ...pod, spec: { nodeName: 'a1' } }] : [])).toEqual([])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circlesOf } from './circles.ts'

type Graph = Record<string, readonly string[]>
const circles = (graph: Graph) =>
  circlesOf(new Map(Object.entries(graph)))
    .map((circle) => circle.toSorted().join(''))
    .toSorted()

test.each<[string, Graph, readonly string[]]>([
  ['nothing', {}, []],
  ['a way without return', { a: ['b'], b: ['c'] }, []],
  ['a node that leads to itself', { a: ['a'] }, []],
  ['two that lead to each other', { a: ['b'], b: ['a'] }, ['ab']],
  ['a circle of three, and a way into it and out of it', { x: ['a'], a: ['b'], b: ['c', 'y'], c: ['a'] }, ['abc']],
  ['two circles, one of which leads to the other', { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] }, ['ab', 'cd']],
  ['two circles with a node in common', { a: ['b', 'c'], b: ['a'], c: ['a'] }, ['abc']],
  ['a circle that is entered twice', { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b'] }, ['bcd']],
  ['two ways that meet in what is left', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ['a circle within a circle', { a: ['b'], b: ['c', 'a'], c: ['d'], d: ['b'] }, ['abcd']],
])('%s', (_what, graph, expected) => expect(circles(graph)).toEqual(expected))

test('each node is grouped with the nodes that it reaches and that reach it', () => {
  const node = fc.constantFrom(...'abcdefg')
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 20 }), (ways) => {
      const next = new Map(
        [...Map.groupBy(ways, ([from]) => from)].map(([from, out]) => [from, out.map(([, to]) => to)]),
      )
      const reached = (from: string) => {
        const seen = new Set<string>()
        for (const left = [from]; left.length > 0; ) {
          for (const to of next.get(left.pop() ?? '') ?? []) if (!seen.has(to)) left.push(to) && seen.add(to)
        }
        return seen
      }
      const nodes = [...'abcdefg']
      const expected = new Set(
        nodes
          .map((one) => nodes.filter((other) => one === other || (reached(one).has(other) && reached(other).has(one))))
          .filter((circle) => circle.length > 1)
          .map((circle) => circle.join('')),
      )
      const found = circlesOf(next).map((circle) => circle.toSorted().join(''))
      expect(new Set(found)).toEqual(expected)
      expect(found).toHaveLength(expected.size)
    }),
  )
})

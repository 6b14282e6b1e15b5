import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Integers } from './integers.ts'

const held = (integers: Integers) => [...integers.items.subarray(0, integers.length)]

test('integers hold what a plain array holds, after any insertions, removals, cuts and joins', () => {
  const number = fc.integer({ min: 0, max: 2 ** 31 - 1 })
  const step = fc.tuple(fc.constantFrom('push', 'insert', 'remove', 'cut', 'join'), fc.nat(), number)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      let integers = new Integers()
      let plain: number[] = []
      for (const [what, at, item] of steps) {
        const index = at % (plain.length + 1)
        if (what === 'push') {
          integers.push(item)
          plain.push(item)
        } else if (what === 'insert') {
          integers.insert(index, item)
          plain.splice(index, 0, item)
        } else if (what === 'remove' && index < plain.length) {
          integers.remove(index)
          plain.splice(index, 1)
        } else if (what === 'cut' || what === 'join') {
          const taken = integers.cut(index)
          const rest = plain.splice(index)
          expect(held(taken)).toEqual(rest)
          if (what === 'join') {
            taken.join(integers)
            integers = taken
            plain = [...rest, ...plain]
          }
        }
        expect(held(integers)).toEqual(plain)
        expect([integers.last, integers.at(plain.length)]).toEqual([plain.at(-1), undefined])
      }
    }),
  )
})

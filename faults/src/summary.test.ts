import { expect, test } from 'vitest'
import { summaryOf } from './summary.ts'

const held = { fault: 'one', broken: [], answers: {} }

test('a whole walk in which all held is good, whatever a machine leaves out', () => {
  expect(summaryOf([held, held], 2)).toEqual({ said: '2 held, 0 broken', isGood: true })
  expect(summaryOf([held, { ...held, impossible: 'no root' }], 2)).toEqual({
    said: '1 held, 0 broken, 1 left out',
    isGood: true,
  })
})

test('a walk that broke something, or that a signal ended early, is not', () => {
  expect(summaryOf([held, { ...held, broken: ['lost'] }], 2)).toEqual({ said: '1 held, 1 broken', isGood: false })
  expect(summaryOf([held], 3)).toEqual({ said: '1 held, 0 broken, 2 not walked', isGood: false })
})

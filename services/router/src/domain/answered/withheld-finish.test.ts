import { expect, test } from 'vitest'
import { WithheldFinish } from './withheld-finish.ts'

test('what comes before the finish passes, and the finish waits with what follows it', () => {
  const finish = new WithheldFinish()
  expect([finish.pass('a', false), finish.pass('b', false)]).toEqual(['a', 'b'])
  expect([finish.pass('finish', true), finish.pass('usage', true)]).toEqual(['', ''])
  expect([finish.take(), finish.take()]).toEqual(['finishusage', ''])
})

test('an answer that goes on passes in its order', () => {
  const finish = new WithheldFinish()
  expect([finish.pass('finish', true), finish.pass('more', false), finish.take()]).toEqual(['', 'finishmore', ''])
})

test('no more than 65,536 units are withheld, and then everything passes in its order', () => {
  const finish = new WithheldFinish()
  const most = 'm'.repeat(65_535)
  expect([finish.pass(most, true), finish.pass('n', true), finish.pass('o', true)]).toEqual(['', '', `${most}no`])
  expect(finish.take()).toBe('')
})

import { expect, test } from 'vitest'
import { boardTables, driftOf, exactOf, type Measured, overrunOf, unmeasured } from '../../src/budget-board/board.ts'
import { CELLS, type Cell } from '../../src/budget-board/cells.ts'

const cellOf = (behaviour: Cell['behaviour']): Cell => {
  const found = CELLS.find((cell) => cell.surface === 'chat' && cell.stream && cell.behaviour === behaviour)
  if (!found) throw new Error(`there is no ${behaviour}`)
  return found
}

const one = (more: Partial<Measured> = {}): Measured => ({
  ...{ cell: cellOf('ok'), spent: 5n, billed: 5n, calls: 1, answered: 1, refused: 0, failed: 0 },
  ...{ firstFailure: undefined, ...more },
})

test('a cell is exact if the amount spent equals the amount billed and the budget held', () => {
  expect(exactOf([one(), one({ spent: 6n }), one({ spent: 4n })])).toBe(1)
  expect([driftOf(one({ spent: 6n })), driftOf(one({ spent: 4n }))]).toEqual([1n, -1n])
  const over = one({ spent: 1_000_000_002n, billed: 1_000_000_002n })
  expect([overrunOf(over), exactOf([over])]).toEqual([2n, 0])
})

test('a cell whose calls failed says nothing, and is not exact', () => {
  const none = one({ spent: 0n, billed: 0n, calls: 0, answered: 0, failed: 9, firstFailure: '500' })
  expect([driftOf(none), exactOf([none])]).toEqual([null, 0])
  expect(unmeasured(none)).toContain('no call reached the upstream')
  expect(unmeasured(one({ failed: 1, firstFailure: '502' }))).toContain('1 calls failed')
  expect(unmeasured(one({ spent: 'it keeps no account' }))).toBe('it keeps no account')
})

test('failed calls do not invalidate a cell whose upstream is meant to fail', () => {
  expect(driftOf(one({ cell: cellOf('error before a byte'), spent: 0n, billed: 0n, answered: 0, failed: 9 }))).toBe(0n)
})

test('the board has a row per surface and delivery, and an empty cell where nothing was measured', () => {
  const [drift, over] = boardTables('ours', [one({ spent: 7n })])
  expect(drift?.rows[0]?.slice(0, 3)).toEqual(['chat, streamed', 2, null])
  expect(over?.rows[0]?.slice(0, 3)).toEqual(['chat, streamed', 0, null])
  expect(drift?.rows.map(([name]) => name)).toHaveLength(8)
})

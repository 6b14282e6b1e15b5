import { expect, test } from 'vitest'
import { statusOf } from './held-row.ts'
import type { Mirrored } from './mirrored.ts'
import { putBack, takenDown } from './take-down.ts'

const row = { slug: 'weather', state: 'payable', stateSince: 1, reason: null, owner: null } as Mirrored

test('takenDown: a row is suspended with the reason, whoever its owner is', () => {
  const down = takenDown(row, 'It is a fraud.', 5)
  expect(down).toMatchObject({ state: 'suspended', stateSince: 5, reason: 'The operator suspended it: It is a fraud.' })
  expect(down.takenDown).toEqual({ kind: 'suspended', at: 5, reason: 'It is a fraud.' })
  expect(statusOf(down)).toBe('suspended')
})

test('putBack: the row is payable again only after a new probe', () => {
  const back = putBack(takenDown(row, 'It is a fraud.', 5), 6)
  expect(back).toMatchObject({ state: 'unprobed', stateSince: 6, reason: null, takenDown: null })
})

import { expect, test } from 'vitest'
import { heldFrom } from './held.ts'

test('a claimed row starts as it was shown: live, never verified and never rejected', () => {
  const shown = { name: 'Tides', description: 'When the sea rises', status: 'suspended' }
  expect(heldFrom(shown)).toStrictEqual({
    ...{ name: 'Tides', description: 'When the sea rises', status: 'live', verification: 'none' },
    ...{ reviewed: null, rejection: null },
  })
})

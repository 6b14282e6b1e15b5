import { expect, test } from 'vitest'
import { heldFrom } from './held.ts'

test('a claimed row starts as it was shown: live, never verified and never rejected', () => {
  const shown = { name: 'Tides', description: 'When the sea rises', status: 'suspended' }
  const signedBy = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  expect(heldFrom(shown, signedBy)).toStrictEqual({
    ...{ name: 'Tides', description: 'When the sea rises', status: 'live', verification: 'none' },
    ...{ reviewed: null, rejection: null, signedBy },
  })
})

import { memoryCounters } from '@callboard/store'
import { MINUTE_MS } from '@callboard/values'
import { describe, expect, test, vi } from 'vitest'
import { ShownEpochs } from './shown-epochs.ts'

function stage() {
  let now = 0
  const clock = { now: () => now }
  const counters = memoryCounters(clock)
  const raised = vi.spyOn(counters, 'raise')
  const shown = new ShownEpochs()
  const show = (epoch: number) => shown.show({ counters, clock }, 'epoch:one', epoch)
  const pass = (ms: number) => {
    now += ms
  }
  return { counters, raised, show, pass }
}

describe('ShownEpochs', () => {
  test('default: an epoch is shown once a minute, however often it is requested', async () => {
    const { counters, raised, show, pass } = stage()
    expect([await show(3), await show(3)]).toEqual([3, 3])
    expect(raised).toHaveBeenCalledOnce()
    expect(await counters.number('epoch:one')).toBe(3)
    pass(MINUTE_MS)
    await show(3)
    expect(raised).toHaveBeenCalledTimes(2)
  })

  test('behavior: another epoch is shown at once', async () => {
    const { counters, show } = stage()
    await show(3)
    expect(await show(4)).toBe(4)
    expect(await counters.number('epoch:one')).toBe(4)
  })

  test('behavior: an epoch that a revocation has overtaken is answered with the newer one each time', async () => {
    const { counters, show } = stage()
    await counters.raise('epoch:one', 5, MINUTE_MS)
    expect([await show(3), await show(3)]).toEqual([5, 5])
  })

  test('behavior: an epoch is shown again after the counters are lost', async () => {
    const { counters, raised, show } = stage()
    await show(3)
    vi.spyOn(counters, 'losses').mockReturnValue(1)
    await show(3)
    expect(raised).toHaveBeenCalledTimes(2)
  })

  test('error: an epoch that could not be shown does not count as shown', async () => {
    const { raised, show } = stage()
    raised.mockRejectedValueOnce(new Error('Connection is closed.'))
    await expect(show(3)).rejects.toThrow('Connection is closed.')
    expect(await show(3)).toBe(3)
    expect(raised).toHaveBeenCalledTimes(2)
  })
})

import { describe, expect, test } from 'vitest'
import { ChainSilence } from './chain-silence.ts'

const BASE = 'eip155:8453'

describe('ChainSilence', () => {
  let now = 0
  const silence = () => {
    now = 1_000
    return new ChainSilence({ now: () => now } as never)
  }

  test('default: a chain that answered is not silent, however long ago it was called', () => {
    const chain = silence()
    chain.asked(BASE)
    chain.answered(BASE)
    now += 60_000
    expect(chain.seconds()).toEqual(new Map([[BASE, 0]]))
  })

  test('behavior: a hanging chain is silent since the first call that it has not answered', () => {
    const chain = silence()
    chain.asked(BASE)
    chain.answered(BASE)
    now += 5_000
    chain.asked(BASE)
    now += 10_000
    chain.asked(BASE)
    now += 20_000
    expect(chain.seconds()).toEqual(new Map([[BASE, 30]]))
    chain.answered(BASE)
    expect(chain.seconds()).toEqual(new Map([[BASE, 0]]))
  })

  test('behavior: a chain that was never called is not reported', () => {
    expect(silence().seconds()).toEqual(new Map())
  })
})

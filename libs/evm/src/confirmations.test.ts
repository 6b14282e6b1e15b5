import { describe, expect, test } from 'vitest'
import { chainOf, chainSet } from './chain-set.ts'
import { confirmationPolicy } from './confirmations.ts'

const base = { network: 'eip155:8453', finality: 'tags', preconfirmationMs: 200 } as const
const plain = { network: 'eip155:84532', finality: 'tags' } as const
const instant = { network: 'eip155:5042', finality: 'instant' } as const

describe('confirmationPolicy', () => {
  test('default: counts at inclusion, and allows every policy except preconfirmation', () => {
    expect(confirmationPolicy(base)).toEqual({ default: 'included', allowed: ['included', 'safe', 'finalized'] })
    expect(confirmationPolicy(instant)).toEqual({ default: 'included', allowed: ['included'] })
  })

  test('behavior: follows the operator’s settings, weakest first', () => {
    const asked = { default: 'safe', allowed: ['finalized', 'safe', 'preconfirmed'] } as const
    expect(confirmationPolicy(base, { ...asked, allowed: [...asked.allowed] })).toEqual({
      default: 'safe',
      allowed: ['preconfirmed', 'safe', 'finalized'],
    })
    expect(confirmationPolicy(base, { default: 'preconfirmed' }).allowed).toContain('preconfirmed')
  })

  test('error: refuses a preconfirmation where the sequencer announces none', () => {
    expect(() => confirmationPolicy(plain, { allowed: ['included', 'preconfirmed'] })).toThrow(
      'eip155:84532 takes no confirmation "preconfirmed": its sequencer tells nothing of the block that it builds',
    )
  })

  test.each(['safe', 'finalized', 'preconfirmed'] as const)(
    'error: refuses %s where blocks are final as soon as they exist',
    (point) => {
      expect(() => confirmationPolicy(instant, { default: point })).toThrow(
        `eip155:5042 takes no confirmation "${point}": its blocks are final when they exist, so that "included" is all there is`,
      )
    },
  )

  test('error: refuses a default that is not allowed', () => {
    expect(() => confirmationPolicy(base, { default: 'included', allowed: ['safe'] })).toThrow(
      'eip155:8453 has the default confirmation "included", which is not among those allowed',
    )
  })
})

describe('chainSet', () => {
  test('behavior: a chain has the policy that is set for it, and the others keep their default', () => {
    const chains = chainSet({
      networks: ['eip155:8453', 'eip155:84532'],
      confirmations: { 'eip155:8453': { default: 'preconfirmed' } },
    })
    expect(chainOf(chains, 'eip155:8453').confirmation.default).toBe('preconfirmed')
    expect(chainOf(chains, 'eip155:84532').confirmation.default).toBe('included')
  })

  test('error: refuses a policy for a network that is not served', () => {
    expect(() => chainSet({ networks: ['eip155:8453'], confirmations: { 'eip155:5042': {} } })).toThrow(
      'eip155:5042 has a confirmation policy but is not served',
    )
  })
})

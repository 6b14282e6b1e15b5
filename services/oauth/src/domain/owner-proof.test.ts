import { describe, expect, test } from 'vitest'
import { type Known, ruleOn } from './owner-proof.ts'

const [HOME, OTHER] = [8453, 5042]
const byKey = { by: 'key', chainId: OTHER } as const
const byContract = { by: 'contract', chainId: HOME } as const
const OF_HOME = { known: { by: 'contract', chainId: HOME } }

describe('ruleOn', () => {
  test.each<[string, Known | undefined]>([
    ['no account yet', undefined],
    ['an account of the key', { by: 'key' }],
    ['an account of a contract', { by: 'contract', chainId: HOME }],
    ['an account of the release before', { by: 'unknown' }],
  ])('default: a key signs in, on any chain, when there is %s', (_what, known) => {
    expect(ruleOn(known, byKey, [])).toEqual({ known: { by: 'key' } })
  })

  test('default: a contract opens an account on its own chain, and signs in from there', () => {
    expect(ruleOn(undefined, byContract, [])).toEqual(OF_HOME)
    expect(ruleOn({ by: 'contract', chainId: HOME }, byContract, [])).toEqual(OF_HOME)
  })

  test.each<[string, Known]>([
    ['the account is of the contract on another chain', { by: 'contract', chainId: OTHER }],
    ['the account is of the key', { by: 'key' }],
  ])('behavior: a contract does not sign in when %s', (_what, known) => {
    expect(ruleOn(known, byContract, [HOME])).toHaveProperty('problem')
  })

  test('behavior: an account of the previous release belongs to the only contract at its address', () => {
    expect(ruleOn({ by: 'unknown' }, byContract, [HOME])).toEqual(OF_HOME)
    expect(ruleOn({ by: 'unknown' }, byContract, [])).toEqual(OF_HOME)
    expect(ruleOn({ by: 'unknown' }, byContract, [HOME, OTHER])).toHaveProperty('problem')
    expect(ruleOn({ by: 'unknown' }, byContract, [OTHER])).toHaveProperty('problem')
  })
})

import { describe, expect, test } from 'vitest'
import { conformant, operation, READ_AT } from '../../test/held-listing.ts'
import { answeredBySystem, CHECKLIST, type ReviewedNow, unanswered, unknownItems } from './checklist.ts'

const HUMAN = ['description', 'price', 'impersonation', 'terms']

const sound: ReviewedNow = {
  operations: [operation],
  conformance: conformant,
  signedFor: 'the listing',
  payTo: '0xpayee',
  splitterDeployed: true,
  namesake: undefined,
  now: READ_AT,
}
const found = (more: Partial<ReviewedNow>) =>
  Object.fromEntries(
    answeredBySystem({ ...sound, ...more }).map(({ item, holds, detail }) => [item, { holds, detail }]),
  )

describe('answeredBySystem', () => {
  test('default: facts are answered with their evidence, and questions are left to the operator', () => {
    const answers = answeredBySystem(sound)
    expect(answers.map(({ item }) => item)).toEqual(Object.keys(CHECKLIST))
    expect(answers.filter(({ holds }) => holds === null).map(({ item }) => item)).toEqual(HUMAN)
    expect(answers.filter(({ holds }) => holds === true).every(({ detail }) => detail !== '')).toBe(true)
  })

  test.each([
    ['payee_signed', { signedFor: null }, 'No payee signed'],
    ['payee_on_chain', { splitterDeployed: false }, '0xpayee'],
    ['payable', { operations: [{ ...operation, payment: null, problem: 'It answered 500.' }] }, 'It answered 500.'],
    ['payable', { now: READ_AT + 86_400_001 }, 'last read at'],
    ['payable', { operations: [] }, 'no endpoint'],
    ['conformant', { conformance: null }, 'No challenge'],
    ['conformant', { conformance: { ...conformant, versionConformant: false, issues: ['no header'] } }, 'no header'],
    ['name_free', { namesake: 'Orbital' }, 'Orbital'],
  ] as const)('behavior: %s does not hold for %j, and says why', (item, more, why) => {
    expect(found(more as Partial<ReviewedNow>)[item]).toEqual({ holds: false, detail: expect.stringContaining(why) })
  })

  test('default: says in words what each fact is based on', () => {
    const details = Object.fromEntries(answeredBySystem(sound).map(({ item, detail }) => [item, detail]))
    expect(details).toMatchObject({
      payee_signed: 'Its payee signed for the listing.',
      payee_on_chain: 'The code at 0xpayee is its fee splitter.',
      payable: 'GET https://api.example/quote 0.01 USD at 1970-01-01T00:16:40.000Z',
      conformant: 'x402 version 2; remarks: none.',
      ...{ name_free: 'None is alike.', description: '', price: '', impersonation: '', terms: '' },
    })
    expect(found({ signedFor: 'the claim' }).payee_signed?.detail).toBe('Its payee signed for the claim.')
  })

  test('behavior: remarks on a challenge are named, even if it conforms to its version', () => {
    const issues = ['one', 'two'] as never
    expect(found({ conformance: { ...conformant, issues } }).conformant).toEqual({
      ...{ holds: true, detail: 'x402 version 2; remarks: one, two.' },
    })
    expect(found({ conformance: { ...conformant, versionConformant: false, issues } }).conformant?.detail).toBe(
      'It declares version 2: one, two.',
    )
  })

  test('behavior: each endpoint must have been read within a day, and is named with its price', () => {
    const other = { ...operation, url: 'https://api.example/other' }
    expect(found({ operations: [operation, other], now: READ_AT + 86_400_000 }).payable).toMatchObject({ holds: true })
    expect(found({ operations: [operation, other] }).payable?.detail).toMatch(
      /quote 0\.01 USD at .*, GET .*other 0\.01/,
    )
    expect(found({ operations: [operation, { ...other, payment: null }] }).payable).toEqual({
      ...{ holds: false, detail: 'GET https://api.example/other: no offer was read.' },
    })
  })

  test('behavior: a listing that is paid directly needs no splitter on the chain', () => {
    expect(found({ splitterDeployed: null }).payee_on_chain).toMatchObject({ holds: true })
  })
})

describe('unanswered', () => {
  const answers = answeredBySystem(sound)

  test('default: every question that only a person can answer is required', () => {
    expect(unanswered(answers, [])).toEqual(HUMAN)
    expect(unanswered(answers, HUMAN)).toEqual([])
    expect(unanswered(answers, HUMAN.slice(1))).toEqual(['description'])
  })

  test('behavior: a fact against the listing must be accepted by name, or the verdict is refused', () => {
    const against = answeredBySystem({ ...sound, conformance: null })
    expect(unanswered(against, HUMAN)).toEqual(['conformant'])
    expect(unanswered(against, [...HUMAN, 'conformant'])).toEqual([])
  })
})

test('unknownItems: returns what is not an item of the checklist', () => {
  expect(unknownItems(['terms', 'Terms', 'toString'])).toEqual(['Terms', 'toString'])
})

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
  test('default: facts are answered with what they rest on, and questions are left to the operator', () => {
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

  test('behavior: what is paid directly has no splitter to be seen', () => {
    expect(found({ splitterDeployed: null }).payee_on_chain).toMatchObject({ holds: true })
  })
})

describe('unanswered', () => {
  const answers = answeredBySystem(sound)

  test('default: every question that only a person can answer is demanded', () => {
    expect(unanswered(answers, [])).toEqual(HUMAN)
    expect(unanswered(answers, HUMAN)).toEqual([])
    expect(unanswered(answers, HUMAN.slice(1))).toEqual(['description'])
  })

  test('behavior: a fact against the listing is accepted by name, or the verdict is not taken', () => {
    const against = answeredBySystem({ ...sound, conformance: null })
    expect(unanswered(against, HUMAN)).toEqual(['conformant'])
    expect(unanswered(against, [...HUMAN, 'conformant'])).toEqual([])
  })
})

test('unknownItems: what is no item of the list', () => {
  expect(unknownItems(['terms', 'Terms', 'toString'])).toEqual(['Terms', 'toString'])
})

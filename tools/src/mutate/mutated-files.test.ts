import { expect, test } from 'vitest'
import { mutatedFiles, selected } from './mutated-files.ts'

const RULES = ['libs/values/src/money.ts', 'libs/x402/src/match.ts', 'services/oauth/src/domain/grants/pkce.ts']
const OTHERS = [
  'libs/x402/package.json',
  'libs/x402/src/index.ts',
  'libs/x402/src/match.test.ts',
  'libs/values/src/confusables.generated.ts',
  'services/oauth/package.json',
  'services/oauth/src/store/grant.repository.ts',
  'services/oauth/test/domain/grant.ts',
]

test('every domain and the libraries that judge are mutated; tests, barrels and generated files are not', () => {
  expect(mutatedFiles([...RULES, ...OTHERS])).toEqual(RULES)
})

test('a selection is by the beginning of paths, and stands by workspace', () => {
  const paths = [...RULES, ...OTHERS, 'libs/values/package.json']
  expect([...selected(paths, []).keys()].sort()).toEqual(['libs/values', 'libs/x402', 'services/oauth'])
  expect([...selected(paths, ['services/oauth/src'])]).toEqual([['services/oauth', [RULES[2]]]])
  expect(selected(paths, ['.']).size).toBe(0)
})

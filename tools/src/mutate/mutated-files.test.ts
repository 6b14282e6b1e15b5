import { expect, test } from 'vitest'
import { mutatedFiles, selected, testsOf } from './mutated-files.ts'

const RULES = ['libs/values/src/money.ts', 'libs/x402/src/offers/match.ts', 'services/oauth/src/domain/grants/pkce.ts']
const OTHERS = [
  'libs/x402/package.json',
  'libs/x402/src/index.ts',
  'libs/x402/src/offers/match.test.ts',
  'libs/values/src/confusables.generated.ts',
  'services/oauth/package.json',
  'services/oauth/src/store/grant.repository.ts',
  'services/oauth/test/domain/grant.ts',
]

test('domains and the libraries that judge are mutated; tests, barrels and generated files are not', () => {
  expect(mutatedFiles([...RULES, ...OTHERS])).toEqual(RULES)
})

test('files are selected by path prefix', () => {
  const paths = [...RULES, ...OTHERS]
  expect(selected(paths, [])).toEqual(RULES)
  expect(selected(paths, ['services/oauth/src'])).toEqual([RULES[2]])
  expect(selected(paths, ['.'])).toEqual([])
})

test('a file’s tests are those of its workspace that import it, or all tests if none does', () => {
  const [one, other] = ['libs/x402/src/offers/match.ts', 'libs/x402/src/json.ts']
  const graph = new Map<string, readonly string[]>([
    ['libs/x402/src/offers/match.test.ts', [one]],
    ['libs/x402/src/odd-offers.test.ts', [one]],
    ['libs/x402/src/messages/headers.test.ts', ['libs/x402/src/messages/headers.ts']],
    ['services/oauth/src/grants.test.ts', [one, other]],
    [one, []],
  ])
  expect(testsOf(one, graph)).toEqual(['libs/x402/src/offers/match.test.ts', 'libs/x402/src/odd-offers.test.ts'])
  expect(testsOf(other, graph)).toHaveLength(3)
})

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { beforeAll, describe, expect, test } from 'vitest'
import { runForge } from '../src/forge.ts'

const ROOT = join(import.meta.dirname, '..')
/** What two busy cores can run in less than a minute. */
const EFFORT = { fuzzRuns: 1_000, invariantRuns: 20 }
/** Enough to find a fault, with little shrinking; tied to one seed, as another may need more. */
const SHORT = { fuzzRuns: 400, invariantRuns: 3, seed: '0x2' }
const LIMIT_MS = 240_000

const MISTAKES: readonly (readonly [file: string, ours: string, mistaken: string, found: string])[] = [
  ['FeeSplitter.sol', 'fresh * feeBp / 10_000;', '(fresh * feeBp + 9_999) / 10_000;', 'eachSideHasItsShare'],
  ['SettlementBatch.sol', 'legGas + legGas / 63 + CALL_COST', 'CALL_COST', 'legsAreIndependent'],
]
/** The tests that find them, and what these import. */
const FINDERS = ['Cheats.sol', 'SplitterInvariants.t.sol', 'SplitterHandler.sol', 'BatchFuzz.t.sol']

describe('fuzzed with forge', () => {
  test(
    'every invariant of the splitter and the batch holds',
    async () => {
      const { code, output } = await runForge(EFFORT)
      expect(output).toContain('9 tests passed, 0 failed, 0 skipped')
      expect(code).toBe(0)
    },
    LIMIT_MS,
  )

  describe('contracts with a mistake each', () => {
    let output: string
    // Both at once: the compiler takes longer than the search, and no test reads more than one of them.
    beforeAll(async () => {
      const root = temporaryFolder('callboard-fuzz-')
      cpSync(join(ROOT, 'contracts'), join(root, 'contracts'), { recursive: true })
      for (const name of FINDERS) cpSync(join(ROOT, 'fuzz', name), join(root, 'fuzz', name))
      const settings = readFileSync(join(ROOT, 'foundry.toml'), 'utf8').replaceAll('../../.cache/forge', 'forge')
      writeFileSync(join(root, 'foundry.toml'), settings)
      for (const [file, ours, mistaken] of MISTAKES) {
        const path = join(root, 'contracts', file)
        const source = readFileSync(path, 'utf8')
        expect(source).toContain(ours)
        writeFileSync(path, source.replace(ours, mistaken))
      }
      const tested = await runForge(SHORT, { root })
      expect(tested.code).not.toBe(0)
      output = tested.output
    }, LIMIT_MS)

    test.each(MISTAKES)('a mutation of %s is caught: %s → %s', (_file, _ours, _mistaken, found) => {
      expect(output.split('Failing tests:')[1]).toContain(found)
    })
  })
})

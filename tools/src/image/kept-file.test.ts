import { expect, test } from 'vitest'
import { isKeptOfPackage, isKeptOfWorkspace } from './kept-file.ts'

test.each([
  ['dist/index.js', true],
  ['package.json', true],
  ['data/words.json', true],
  ['prebuilds/linux-x64/node.napi.node', true],
  ['LICENSE.md', true],
  ['docs/NOTICE', true],
  ['dist/index.d.ts', false],
  ['dist/index.js.map', false],
  ['src/index.mts', false],
  ['README.md', false],
  ['test/run.js', false],
  ['_esm/actions/test/mine.js', true],
  ['latest/index.js', true],
])('isKeptOfPackage: %s %s', (path, kept) => {
  expect(isKeptOfPackage(path)).toBe(kept)
})

test.each([
  ['src/service.ts', true],
  ['src/domain/aliases.json', true],
  ['package.json', true],
  ['src/domain/price.test.ts', false],
  ['src/counters.suite.ts', false],
  ['test/child.ts', false],
  ['README.md', false],
])('isKeptOfWorkspace: %s %s', (path, kept) => {
  expect(isKeptOfWorkspace(path)).toBe(kept)
})

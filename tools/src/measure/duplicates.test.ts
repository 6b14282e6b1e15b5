import { expect, test } from 'vitest'
import { ALIKE_LINES, duplicatePairs } from './duplicates.ts'

const lines = (count: number, word: string) => Array.from({ length: count }, (_, at) => `const ${word}${at} = ${at}`)
const pairs = (files: Readonly<Record<string, readonly string[]>>) =>
  duplicatePairs(Object.keys(files), (path) => (files[path] ?? []).join('\n'))

test('two files are a pair from eight consecutive equal lines on, whatever their indentation and blank lines', () => {
  const alike = lines(ALIKE_LINES, 'same')
  expect(pairs({ a: alike, b: ['function f() {', ...alike.flatMap((line) => [`  ${line}`, '']), '}'] })).toEqual([
    ['a', 'b'],
  ])
  expect(pairs({ a: alike.slice(1), b: alike.slice(1) })).toEqual([])
})

test('imports, comments and closing brackets do not make a pair', () => {
  const imports = lines(ALIKE_LINES, 'x').map((_, at) => `import { x${at} } from './x${at}.ts'`)
  const comments = lines(ALIKE_LINES, 'x').map((line) => `// ${line}`)
  const brackets = lines(ALIKE_LINES, 'x').map(() => '})')
  for (const same of [imports, comments, brackets]) expect(pairs({ a: same, b: same })).toEqual([])
})

test('a pair with several runs in common is reported once, and three equal files are three pairs', () => {
  const long = lines(2 * ALIKE_LINES, 'same')
  expect(pairs({ c: long, a: long, b: long })).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ])
})

import { expect, test } from 'vitest'
import { isEnough, type Mutant, percentOf, scoreOf } from './score.ts'

const source = "const most = limit + 1\nthrow new Error('The limit is too low.')\nconst scope = 'chain'\n"
const mutant = (status: string, line: number, from: number, to: number, more: Partial<Mutant> = {}): Mutant => ({
  mutatorName: 'ArithmeticOperator',
  status,
  location: { start: { line, column: from }, end: { line, column: to } },
  ...more,
})

test('killed and timed-out mutants count as noticed, survived and uncovered ones as missed, others not at all', () => {
  const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError', 'RuntimeError']
  const score = scoreOf({ source, mutants: statuses.map((status) => mutant(status, 1, 14, 23)) })
  expect(score).toMatchObject({ killed: 2, timedOut: 1, all: 4 })
  expect(percentOf(score)).toBe(50)
})

test('a survivor is reported with its line, its original and its replacement', () => {
  const { survivors } = scoreOf({ source, mutants: [mutant('Survived', 1, 14, 23, { replacement: 'limit - 1' })] })
  expect(survivors).toEqual([{ line: 1, original: 'limit + 1', mutant: 'limit - 1' }])
})

test('a survivor that spans lines is reported whole', () => {
  const over = { start: { line: 1, column: 7 }, end: { line: 2, column: 6 } }
  const { survivors } = scoreOf({ source, mutants: [mutant('Survived', 1, 0, 0, { location: over })] })
  expect(survivors[0]?.original).toBe('most = limit + 1\nthrow')
})

test('a mutated sentence is left out, a mutated word counts', () => {
  const text = { mutatorName: 'StringLiteral' }
  const sentence = mutant('Survived', 2, 17, 40, text)
  const word = mutant('Survived', 3, 15, 22, text)
  expect(scoreOf({ source, mutants: [sentence, word] })).toMatchObject({ killed: 0, all: 1 })
})

test('exactly the required score is enough, and a file without mutants passes', () => {
  expect(isEnough({ killed: 85, all: 100 })).toBe(true)
  expect(isEnough({ killed: 84, all: 100 })).toBe(false)
  expect(isEnough({ killed: 0, all: 0 })).toBe(true)
})

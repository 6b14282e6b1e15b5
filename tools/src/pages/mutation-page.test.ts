import { expect, test } from 'vitest'
import { mutationPage, mutationSentence } from './mutation-page.ts'

const [one, other, third] = ['libs/values/src/money.ts', 'libs/values/src/time.ts', 'libs/x402/src/offers/match.ts']
const scores = {
  [one]: { killed: 90, timedOut: 2, all: 100, date: '2026-11-22' },
  [other]: { killed: 40, timedOut: 1, all: 50, date: '2026-11-23' },
  'libs/values/src/gone.ts': { killed: 0, timedOut: 0, all: 100, date: '2026-11-22' },
}

test('a workspace’s row sums its files and shows the lowest score', () => {
  const row = '| libs/values | 2 | 150 | 130 | 3 | 86.7 | 80 | 2026-11-22, 2026-11-23 |'
  expect(mutationPage([one, other], scores).split('\n')).toContain(row)
})

test('an unmeasured file is named, and a deleted one does not count', () => {
  const page = mutationPage([one, other, third], scores)
  expect(page.split('\n')).toContain(`- \`${third}\``)
  expect(page).not.toContain('gone.ts')
})

test('the README states the sum, the number of files, how many score too low, and the lowest', () => {
  const sentence = mutationSentence([one, other, third], scores).replaceAll('\n', ' ')
  expect(sentence).toContain('noticed 130 of 150 changes (86.7 %) in 2 of 3 files, measured on 2026-11-22, 2026-11-23')
  expect(sentence).toContain(`1 below 85 %, and the lowest is \`${other}\` with 80 %`)
})

test('the README says so if no file scores too low', () => {
  expect(mutationSentence([one], scores)).toContain('none below 85 %')
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { expect, test } from 'vitest'
import { stepsOf } from './commands.ts'
import { HEADING, PAID } from './first-call.ts'

test('steps are the shell blocks of their section, in order', () => {
  const document =
    '# Title\n\n## One\n```sh\nno\n```\n\n## Two\nFirst:\n```sh\na \\\n  b\n```\n```ts\nno\n```\n```sh\nc\n```\n\n## Three\n```sh\nno\n```\n'
  expect(stepsOf(document, 'Two')).toEqual(['a \\\n  b\n', 'c\n'])
  expect(stepsOf(document, 'Four')).toEqual([])
})

test('the path to a paid call has servers, secrets, release and call, and no blanks except its settings', () => {
  const steps = stepsOf(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8'), HEADING)
  expect(steps).toHaveLength(4)
  expect(steps.join('')).not.toMatch(/…|example/)
  expect(steps[3]).toContain(PAID)
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterEach, expect, test, vi } from 'vitest'
import { sideBySide } from '../src/side-by-side.ts'

const folder = temporaryFolder('callboard-side-by-side-')
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('every script runs to its end, and failed ones are named with their output', async () => {
  const scripts = { first: 'echo why not >&2; exit 3', good: 'echo fine', last: 'exit 1' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'one', version: '1.0.0', scripts }))
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect([...(await sideBySide(['first', 'good', 'last'], folder))].sort()).toEqual(['first', 'last'])
  const lines = said.mock.calls.join('\n')
  expect(lines).toContain('first failed:\nwhy not')
  expect(lines).toContain('last failed:')
  expect(lines).not.toContain('fine')
})

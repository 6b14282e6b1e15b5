import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, inject, test } from 'vitest'

const PROGRAM = join(inject('programs'), 'operator.mjs')
const folder = temporaryFolder('callboard-operator-')

/** What a command line ends with, next to no instance. */
const ended = (...words: string[]): Promise<{ code: number; said: string }> =>
  promisify(execFile)(process.execPath, [PROGRAM, ...words], { env: { PATH: '', CALLBOARD_DATA: folder } }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }) => ({ code, said: stderr }),
  )

test('reconcile --restored-to takes no moment without its offset: taken for another one, it loses payments', async () => {
  const { code, said } = await ended('reconcile', '--restored-to', '2026-11-24T18:00:00')
  expect(said).toMatch(/^--restored-to must be a time in the past, with its offset: 2026-11-24T18:00:00Z\.\nusage:/)
  expect(code).toBe(2)
  expect((await ended('reconcile', '--restored-to', '2999-01-01T00:00:00Z')).code).toBe(2)
  expect(await ended('reconcile', '--restored-to', '2026-11-24T20:00+02:00')).toEqual({
    code: 1,
    said: expect.stringContaining('No instance runs on'),
  })
})

test('an option that a verb does not take is refused, with the verbs that take it', async () => {
  const { code, said } = await ended('look', 'tides', '--call')
  expect(said).toMatch(/^--call is an option only of models check\.\nusage:/)
  expect(code).toBe(2)
})

test('sources add refuses words that are neither hours nor a filter, instead of importing without that filter', async () => {
  const { code, said } = await ended(...['sources', 'add', 'one', 'facilitator', 'https://one.example', '6', 'network'])
  expect(said).toContain('6 network: besides the hours, each word is FILTER=VALUE.')
  expect(code).toBe(2)
})

test('a certificate of blocks that end before they begin is refused before anything starts', async () => {
  const { code, said } = await ended('certificate', 'eip155:8453', '5', '1')
  expect(said).toMatch(/^There are no blocks from 5 to 1\.\nusage:/)
  expect(said).toContain('exit codes: 0 done, 1 refused, failed or not found, 2 command line not understood')
  expect(code).toBe(2)
})

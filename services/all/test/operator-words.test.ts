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

test.each(['5', '2026-11-24', '2026-11-24 18:00', '2026-11-24T18:00:00', '2999-01-01T00:00:00Z', 'yesterday'])(
  'reconcile --restored-to %s is refused: a moment that is taken for another loses the payments between them',
  async (time) => {
    const { code, said } = await ended('reconcile', '--restored-to', time)
    expect(said).toMatch(/^--restored-to must be a time in the past, with its offset: 2026-11-24T18:00:00Z\.\nusage:/)
    expect(code).toBe(2)
  },
)

test.each(['2026-11-24T18:00:00Z', '2026-11-24T20:00+02:00', '2026-11-24T18:00:00.123Z'])(
  'reconcile --restored-to %s is understood',
  async (time) => {
    expect(await ended('reconcile', '--restored-to', time)).toEqual({
      code: 1,
      said: expect.stringContaining('No instance runs on'),
    })
  },
)

test('sources add refuses words that are neither hours nor a filter, instead of importing without that filter', async () => {
  const { code, said } = await ended(...['sources', 'add', 'one', 'facilitator', 'https://one.example', '6', 'network'])
  expect(said).toContain('sources add one facilitator https://one.example 6 network is not a verb of the operator.')
  expect(code).toBe(2)
})

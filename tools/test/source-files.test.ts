import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../src/generated-files.ts'
import { changedSince, readersOf, trackedFiles } from '../src/source-files.ts'

const folder = temporaryFolder('callboard-source-files-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what differs from a commit is nothing in its own checkout, and what was edited or is new after', () => {
  const git = (...given: string[]) => execFileSync('git', given, { cwd: folder, stdio: 'pipe' })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  git('init', '--quiet', '--initial-branch=main')
  for (const name of ['same.ts', 'edited.ts', 'gone.ts']) write(name, 'first\n')
  git('add', '.')
  git('-c', 'user.name=test', '-c', 'user.email=test@example', 'commit', '--quiet', '--message=start')
  expect(changedSince('HEAD', folder)).toEqual([])

  write('edited.ts', 'second\n')
  write('new.ts', 'first\n')
  rmSync(join(folder, 'gone.ts'))
  expect(changedSince('HEAD', folder)).toEqual(['edited.ts', 'new.ts'])
})

test('a page affects the workspaces whose unit tests read it, and a file of its own workspace none besides', () => {
  const paths = trackedFiles()
  expect(readersOf(['docs/mirror.md'], paths)).toEqual(['services/listings'])
  expect(readersOf(['docs/router.md', 'docs/operating.md'], paths)).toEqual(['helm', 'services/router'])
  expect(readersOf(['docs/buying.md', 'services/listings/README.md'], paths)).toEqual([])
})

/** In two parts, so that it is not in this file. */
const NAME = ['import.meta', 'main'].join('.')

test('no program asks import.meta for main, which Node 24.0 does not have: isProgram tells', () => {
  const asks = (path: string) => readFileSync(join(ROOT, path), 'utf8').includes(NAME)
  expect(trackedFiles().filter((path) => /\.m?[jt]s$/.test(path) && asks(path))).toEqual([])
})

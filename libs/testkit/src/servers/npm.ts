import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isRequired } from './found.ts'
import { installOnce } from './install-once.ts'
import type { NoProgram, Program } from './programs.ts'

const CACHE = fileURLToPath(new URL('../../../../.cache/javascript', import.meta.url))
const INSTALL_WITHIN_MS = 300_000

/** The running Node, and a folder of programs with their own packages. */
export interface Packages extends Program {
  readonly folder: string
}

/** The npm that came with the running Node, or else the one on the PATH. */
const npm = () =>
  [join(dirname(process.execPath), 'npm'), 'npm'].find((file) => file === 'npm' || existsSync(file)) ?? 'npm'

/**
 * Programs whose packages are not those of the workspaces. The packages pinned by their lock file are installed only
 * into `.cache/javascript`, once, next to a copy of the programs.
 * @param folder of the programs, with package.json and package-lock.json
 * @throws Error when that cannot be done and `REQUIRE` names npm
 */
export async function findPackages(folder: string): Promise<Packages | NoProgram> {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const place = join(CACHE, hash.slice(0, 16))
  try {
    await installOnce(place, async (work) => {
      cpSync(folder, work, { recursive: true })
      await promisify(execFile)(npm(), ['ci', '--prefer-offline'], { cwd: work, timeout: INSTALL_WITHIN_MS })
    })
    for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      const [from, to] = [join(folder, name), join(place, name)]
      if (!existsSync(to) || !readFileSync(to).equals(readFileSync(from))) cpSync(from, to)
    }
    return { file: process.execPath, how: 'the running Node', env: {}, folder: place }
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    const closed = `the packages of ${folder} cannot be installed (${why})`
    if (isRequired('npm')) throw new Error(`REQUIRE asks for npm, but ${closed}`, { cause: error })
    return { closed }
  }
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isRequired } from './found.ts'
import { installOnce } from './install-once.ts'
import { type NoProgram, type Program, programHere } from './programs.ts'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../../../.cache/python', import.meta.url))
const INSTALL_WITHIN_MS = 300_000
/** The installer: pip takes twenty times the CPU time for the same, and compiles what no test imports. */
const INSTALLER = 'uv==0.13.8'
/** The oldest Python that the packages of the tests run on. */
const OLDEST = [3, 10] as const

/**
 * A Python with pinned packages, installed only into `.cache/python`, once.
 * @param requirements the file that pins them
 * @param over a file that pins packages to be found before those, each by name: dependencies are not resolved
 * @throws Error when there is none and `REQUIRE` names python
 */
export async function findPython(requirements: string, over?: string): Promise<Program | NoProgram> {
  const found = programHere({ name: 'python3', debianPackage: 'python3' })
  const outcome = 'file' in found ? await withPackages(found, requirements, over) : found
  if ('closed' in outcome && isRequired('python')) {
    throw new Error(`REQUIRE asks for python, but none was found: ${outcome.closed}. Install Python 3 with pip.`)
  }
  return outcome
}

async function withPackages(python: Program, requirements: string, over?: string): Promise<Program | NoProgram> {
  try {
    const { stdout } = await run(python.file, ['-c', 'import sys; print(sys.version_info[0], sys.version_info[1])'])
    const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number)
    if (major !== OLDEST[0] || minor < OLDEST[1]) return { closed: `Python ${major}.${minor} is too old` }
    const version = `${major}.${minor}`
    const places = await Promise.all([
      ...(over === undefined ? [] : [installed(python, version, over, ['--no-deps'])]),
      installed(python, version, requirements),
    ])
    const { PATH: path = '' } = process.env
    const bins = places.map((place) => join(place, 'bin'))
    // Imports are compiled once, next to the packages and never next to sources, whatever the machine's settings.
    const compiled = { PYTHONDONTWRITEBYTECODE: '', PYTHONPYCACHEPREFIX: join(CACHE, 'compiled') }
    return { ...python, env: { PYTHONPATH: places.join(':'), PATH: [...bins, path].join(':'), ...compiled } }
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    return { closed: `the packages of the tests cannot be installed (${why})` }
  }
}

/** @returns the installer's folder: pip installs it, and without a wheel for this machine there is no alternative */
async function installer(python: Program): Promise<string> {
  const place = join(CACHE, INSTALLER.replace('==', '-'))
  await installOnce(place, (work) => {
    const options = [
      '--quiet',
      '--disable-pip-version-check',
      '--no-input',
      '--no-deps',
      '--no-compile',
      '--target',
      work,
    ]
    return run(python.file, ['-m', 'pip', 'install', ...options, INSTALLER], { timeout: INSTALL_WITHIN_MS })
  })
  return join(place, 'bin/uv')
}

/** @returns the folder of a file's packages */
async function installed(python: Program, version: string, requirements: string, flags: string[] = []) {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const place = join(CACHE, `${version}-${hash}`)
  await installOnce(place, async (work) => {
    const options = ['--quiet', '--no-progress', '--python', python.file, '--target', work, '-r', requirements]
    await run(await installer(python), ['pip', 'install', ...flags, ...options], { timeout: INSTALL_WITHIN_MS })
  })
  return place
}

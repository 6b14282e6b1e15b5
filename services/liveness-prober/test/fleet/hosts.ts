import { join } from 'node:path'
import { findCargoProgram, findPackages, findPython, type NoProgram, type Packages } from '@callboard/testkit/servers'

const JAVASCRIPT = join(import.meta.dirname, 'javascript')
const RUST = join(import.meta.dirname, 'rust')
const PYTHON = join(import.meta.dirname, 'python')
/** The requirements of the guides' examples; the sellers' own packages are installed on top. */
const COMMON = join(import.meta.dirname, '../../../../docs/examples/python/requirements.txt')

/** What runs the sellers of a folder: a program, their folder with its packages, and the script that serves them. */
export interface Runner extends Packages {
  /** Absent if the program is the server itself. */
  readonly serve?: 'serve.mjs' | 'serve.py'
}

/** @returns the runner of the JavaScript sellers, or why they cannot run on this machine */
export async function findJavascript(): Promise<Runner | NoProgram> {
  const found = await findPackages(JAVASCRIPT)
  return 'closed' in found ? found : { ...found, serve: 'serve.mjs' }
}

/** @returns the runner of the Python sellers with packages of an x402 version, or why they cannot run here */
export async function findPythonOf(version: 1 | 2): Promise<Runner | NoProgram> {
  const found = await findPython(COMMON, join(PYTHON, `version-${version}.txt`))
  return 'closed' in found ? found : { ...found, folder: PYTHON, serve: 'serve.py' }
}

/** @returns the Rust sellers, which are one program, or why they cannot run on this machine */
export const findRust = (): Promise<Runner | NoProgram> => findCargoProgram(RUST, 'serve')

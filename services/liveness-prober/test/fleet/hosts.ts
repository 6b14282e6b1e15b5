import { join } from 'node:path'
import { findCargoProgram, findPackages, findPython, type NoProgram, type Packages } from '@callboard/testkit/servers'

const JAVASCRIPT = join(import.meta.dirname, 'javascript')
const RUST = join(import.meta.dirname, 'rust')
const PYTHON = join(import.meta.dirname, 'python')
/** What the examples of the guides are installed with; the sellers' own packages lie over it. */
const COMMON = join(import.meta.dirname, '../../../../docs/examples/python/requirements.txt')

/** What runs the sellers of a folder: a program, where they are with their packages, and what serves them by name. */
export interface Runner extends Packages {
  /** Absent where the program is itself what serves. */
  readonly serve?: 'serve.mjs' | 'serve.py'
}

/** @returns the runner of the sellers in JavaScript, or why they cannot run on this machine */
export async function findJavascript(): Promise<Runner | NoProgram> {
  const found = await findPackages(JAVASCRIPT)
  return 'closed' in found ? found : { ...found, serve: 'serve.mjs' }
}

/** @returns the runner of the sellers in Python on packages of an x402 version, or why they cannot run on this machine */
export async function findPythonOf(version: 1 | 2): Promise<Runner | NoProgram> {
  const found = await findPython(COMMON, join(PYTHON, `version-${version}.txt`))
  return 'closed' in found ? found : { ...found, folder: PYTHON, serve: 'serve.py' }
}

/** @returns the sellers in Rust, which are one program, or why they cannot run on this machine */
export const findRust = (): Promise<Runner | NoProgram> => findCargoProgram(RUST, 'serve')

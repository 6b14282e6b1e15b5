import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isRequired } from './found.ts'
import { installOnce } from './install-once.ts'
import type { Packages } from './npm.ts'
import type { NoProgram } from './programs.ts'

const CACHE = fileURLToPath(new URL('../../../../.cache/rust', import.meta.url))
/** A build takes seven minutes of CPU, and longer where other work shares the cores. */
const BUILD_WITHIN_MS = 30 * 60_000
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'src/main.rs']

/**
 * The one program of a cargo package, built in `.cache/rust`. Building takes longer than its tests, so it is done only
 * where `REQUIRE` names rust; `CARGO_TARGET_DIR` keeps compiled parts for the next time.
 * @param folder of the package, with Cargo.lock and `src/main.rs`
 * @param binary its name
 * @throws Error when it cannot be built and `REQUIRE` names rust
 */
export async function findCargoProgram(folder: string, binary: string): Promise<Packages | NoProgram> {
  const hash = createHash('sha256')
  for (const name of SOURCES) hash.update(readFileSync(join(folder, name)))
  const place = join(CACHE, hash.digest('hex').slice(0, 16))
  const program = { file: join(place, binary), how: `${binary} in .cache/rust`, env: {}, folder: place }
  if (existsSync(program.file)) return program
  if (!isRequired('rust')) return { closed: 'it is not built in .cache/rust, and REQUIRE does not name rust' }
  try {
    await installOnce(place, (work) => build(folder, binary, work))
  } catch (error) {
    throw new Error(`REQUIRE asks for rust, but the package of ${folder} cannot be built`, { cause: error })
  }
  return program
}

async function build(folder: string, binary: string, work: string): Promise<void> {
  const { CARGO_TARGET_DIR: kept } = process.env
  const target = kept ?? join(work, 'target')
  await promisify(execFile)('cargo', ['build', '--quiet', '--locked', '--target-dir', target], {
    cwd: folder,
    timeout: BUILD_WITHIN_MS,
  })
  copyFileSync(join(target, 'debug', binary), join(work, binary))
  if (!kept) rmSync(target, { recursive: true })
}

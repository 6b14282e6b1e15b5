import { existsSync } from 'node:fs'
import { isRequired } from './found.ts'
import { type NoProgram, type Program, program } from './programs.ts'

const NAME = 'chromium-headless-shell'

/**
 * A headless browser, for the tests of pages.
 * @throws Error when there is none and `REQUIRE` names chromium
 */
export async function findChromium(): Promise<Program | NoProgram> {
  const found = await program({ name: NAME, debianPackage: NAME })
  if ('file' in found) {
    // Debian's usr/bin holds only a script that looks for the program below the system's root.
    const behind = found.file.replace(/\/bin\/([^/]+)$/, '/lib/chromium/$1')
    const { LD_LIBRARY_PATH: libraries } = found.env
    // PulseAudio keeps a library of its own in a subfolder.
    const env = libraries ? { LD_LIBRARY_PATH: `${libraries}:${libraries}/pulseaudio` } : {}
    return { ...found, env, file: existsSync(behind) ? behind : found.file }
  }
  if (isRequired('chromium')) {
    throw new Error(`REQUIRE asks for chromium, but none was found: ${found.closed}. Install ${NAME}.`)
  }
  return found
}

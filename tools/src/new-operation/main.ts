import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { framesOf } from './frames.ts'

const USAGE = `usage: npm run new:operation -- SERVICE NAME [--help]
  Writes the frames of a new operation, such as "listings setNote": its declaration, handler, test, example and conformance
  file, and lists each where it has to be. npm run types then names what is left to fill in.`

const { positionals } = commandLine(process.argv.slice(2), { usage: USAGE, words: true })
const [service, name, ...more] = positionals
if (!service || !name || more.length > 0) misunderstood('A service and a name are wanted.', USAGE)

try {
  const frames = framesOf(ROOT, { service, name })
  for (const [path, text] of frames) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
    console.log(path)
  }
  spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', ...frames.keys()], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  console.log('\nnpm run types names what is left to fill in: every THE_… in these files.')
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from './generated-files.ts'

/** The generators, in the order in which one reads what another wrote. */
const STEPS = ['contracts:gen', 'docs:gen', 'monitoring:gen', 'helm:gen'] as const

const USAGE = `usage: npm run gen [--help]
  Writes everything that is generated (${STEPS.join(', ')}), and names the files that changed.`

/** What git lists as changed, by file, with its present content. */
function changes(): ReadonlyMap<string, string> {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
  const listed = git('ls-files', '--modified', '--others', '--exclude-standard').trim().split('\n')
  const paths = [...new Set(listed)].filter((path) => path !== '' && existsSync(join(ROOT, path)))
  const hashes =
    paths.length === 0
      ? []
      : git('hash-object', '--', ...paths)
          .trim()
          .split('\n')
  return new Map(paths.map((path, at) => [path, hashes[at] ?? '']))
}

commandLine(process.argv.slice(2), { usage: USAGE })
const before = changes()
for (const step of STEPS) {
  const { status } = spawnSync('npm', ['run', '--silent', step], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`${step} failed, and what comes after it was not generated.`)
    process.exit(status ?? 1)
  }
}
const now = changes()
const written = new Set([...before.keys(), ...now.keys()].filter((path) => before.get(path) !== now.get(path)))
console.log(written.size === 0 ? 'Everything generated was up to date.' : [...written].sort().join('\n'))

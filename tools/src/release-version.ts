import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { writeVersion } from './packages/one-version.ts'
import { manifestOf, ROOT } from './packages/published.ts'

const USAGE = `usage: npm run release:version [-- --help]
  Makes the next version from the changesets in .changeset. It sets the version in every workspace, in the chart and in the
  lockfile, and writes the changes to cli/CHANGELOG.md and libs/client/CHANGELOG.md. Commit the result, and tag it as it says.
exit codes: 0 done, 1 a tool that it runs failed, 2 command line not understood`

commandLine(process.argv.slice(2), { usage: USAGE })
const run = (program: string, ...given: string[]) => execFileSync(program, given, { cwd: ROOT, stdio: 'inherit' })
run(process.execPath, join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version')
const { version } = manifestOf('libs/client')
writeVersion(version)
run('npm', 'install', '--package-lock-only', '--ignore-scripts')
console.log(`Version ${version}. After its commit: git tag v${version}`)

import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run pack [-- --help]
  Makes the tarballs of callboard and @callboard/client in dist/, each bundled, with its types, its licences and its own
  manifest. Their contents are next to them, in dist/callboard and dist/client.
exit codes: 0 done, 1 a package could not be made or is larger than its budget, 2 command line not understood`

commandLine(process.argv.slice(2), { usage: USAGE })
// The bundler is imported only now, so that command-line errors are reported at once.
const [{ lineOf, overBudget, packAll }, { PUBLISHED }] = await Promise.all([
  import('./packages/pack.ts'),
  import('./packages/published.ts'),
])
for (const [at, packed] of (await packAll()).entries()) {
  const [published] = PUBLISHED.slice(at)
  const problem = published && overBudget(published, packed)
  console.log(lineOf(packed))
  if (problem) {
    console.error(`Too heavy: ${problem}.`)
    process.exitCode = 1
  }
}

#!/usr/bin/env node
// npm's solc with the command line that forge speaks: `--version`, and standard JSON from stdin to stdout.
// Plain JavaScript on purpose: forge starts it with whatever Node the PATH has.
import { readFileSync } from 'node:fs'
import manifest from 'solc/package.json' with { type: 'json' }

if (process.argv.includes('--version')) {
  // As the package says it: forge asks twice a run, and the compiler takes ten times as long to load as Node.
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${manifest.version}`)
} else if (process.argv.includes('--standard-json')) {
  const { default: solc } = await import('solc')
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  console.error('usage: solc-command.mjs --version | --standard-json')
  process.exitCode = 2
}

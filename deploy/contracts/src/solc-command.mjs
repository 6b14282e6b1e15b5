#!/usr/bin/env node
// npm's solc with the command line that forge speaks: `--version`, and standard JSON from stdin to stdout.
// Plain JavaScript on purpose: forge starts it with whatever Node the PATH has.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`)
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  console.error('usage: solc-command.mjs --version | --standard-json')
  process.exitCode = 2
}

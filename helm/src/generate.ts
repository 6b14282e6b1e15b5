import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generated, orphans, ROOT, stale } from './generated.ts'

/** `gen` writes what the chart, compose and NATS need to know of the services; `check` says what is stale. */
const verb = process.argv[2]
if (verb === 'gen') {
  for (const path of orphans()) rmSync(join(ROOT, path))
  for (const [path, text] of generated()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
} else if (verb === 'check') {
  const paths = stale()
  if (paths.length > 0) {
    console.error(`${paths.join(', ')}: stale; run npm run helm:gen and commit what it writes.`)
    process.exitCode = 1
  }
} else {
  console.error('usage: generate.ts gen | check')
  process.exitCode = 2
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboard } from './dashboard.ts'
import { metricsPage } from './metrics-page.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Every generated text by its file. */
const generated = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/metrics.md', metricsPage()],
    ['deploy/monitoring/dashboards/callboard.json', dashboard()],
  ])

const read = (name: string) => (existsSync(join(ROOT, name)) ? readFileSync(join(ROOT, name), 'utf8') : '')

const verb = process.argv[2]
if (verb === 'gen') {
  for (const [name, text] of generated()) writeFileSync(join(ROOT, name), text)
} else if (verb === 'check') {
  const stale = [...generated()].filter(([name, text]) => read(name) !== text).map(([name]) => name)
  if (stale.length > 0) {
    console.error(`${stale.join(', ')}: stale; run npm run monitoring:gen and commit what it writes.`)
    process.exitCode = 1
  }
} else {
  console.error('usage: main.ts gen | check')
  process.exitCode = 2
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundariesConfig } from './boundaries.ts'
import { configurationPage, envExample } from './configuration-page.ts'
import { errorsPage } from './errors-page.ts'
import { graph } from './graph.ts'

const ROOT = join(import.meta.dirname, '../..')

const GRAPH_BEGIN = '<!-- graph: made by npm run docs:gen -->'
const GRAPH_END = '<!-- /graph -->'

/** The README with the picture that its declarations draw now. */
function readmeWithGraph(readme: string): string {
  const [before, rest] = readme.split(GRAPH_BEGIN)
  const after = rest?.split(GRAPH_END)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md lost its ${GRAPH_BEGIN} … ${GRAPH_END}`)
  return `${before}${GRAPH_BEGIN}\n\`\`\`mermaid\n${graph()}\n\`\`\`\n${GRAPH_END}${after}`
}

const path = (name: string) => join(ROOT, name)
const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '')

/** Every generated text by its file. */
const generated = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/errors.md', errorsPage()],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', envExample()],
    ['biome.boundaries.json', boundariesConfig()],
    ['README.md', readmeWithGraph(read('README.md'))],
  ])

const verb = process.argv[2]
if (verb === 'gen') {
  for (const [name, text] of generated()) writeFileSync(path(name), text)
} else if (verb === 'check') {
  const stale = [...generated()].filter(([name, text]) => read(name) !== text).map(([name]) => name)
  if (stale.length > 0) {
    console.error(`${stale.join(', ')}: stale; run npm run docs:gen and commit what it writes.`)
    process.exitCode = 1
  }
} else {
  console.error('usage: docs.ts gen | check')
  process.exitCode = 2
}

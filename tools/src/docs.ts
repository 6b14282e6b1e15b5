import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundariesConfig } from './boundaries.ts'
import { keepGenerated, ROOT } from './generated-files.ts'
import { graph } from './graph.ts'
import { configurationPage, envExample } from './pages/configuration-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { probesPage } from './pages/probes-page.ts'

const GRAPH_BEGIN = '<!-- graph: made by npm run docs:gen -->'
const GRAPH_END = '<!-- /graph -->'

/** The README with the picture that its declarations draw now. */
function readmeWithGraph(readme: string): string {
  const [before, rest] = readme.split(GRAPH_BEGIN)
  const after = rest?.split(GRAPH_END)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md lost its ${GRAPH_BEGIN} … ${GRAPH_END}`)
  return `${before}${GRAPH_BEGIN}\n\`\`\`mermaid\n${graph()}\n\`\`\`\n${GRAPH_END}${after}`
}

keepGenerated(
  'npm run docs:gen',
  () =>
    new Map([
      ['docs/errors.md', errorsPage()],
      ['docs/probes.md', probesPage()],
      ['docs/configuration.md', configurationPage()],
      ['.env.example', envExample()],
      ['biome.boundaries.json', boundariesConfig()],
      ['README.md', readmeWithGraph(readFileSync(join(ROOT, 'README.md'), 'utf8'))],
    ]),
)

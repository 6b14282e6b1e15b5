import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundariesConfig } from './boundaries.ts'
import { keepGenerated, ROOT } from './generated-files.ts'
import { kept } from './mutate/kept-scores.ts'
import { mutatedFiles } from './mutate/mutated-files.ts'
import { configurationPage, envExample } from './pages/configuration-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { mutationPage, mutationSentence } from './pages/mutation-page.ts'
import { probesPage } from './pages/probes-page.ts'
import { toolsTable } from './pages/tools-table.ts'
import { graph } from './services-graph.ts'
import { trackedFiles } from './source-files.ts'

/** A document with a part between its marks regenerated. */
function withPart(document: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: made by npm run docs:gen -->`, `<!-- /${name} -->`]
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`A document lost its ${begin} … ${end}`)
  return `${before}${begin}\n${part}\n${end}${after}`
}

/** The README with the graph of the present declarations, and the results of mutation testing. */
function readmeOf(readme: string, mutation: string): string {
  return withPart(withPart(readme, 'graph', `\`\`\`mermaid\n${graph()}\n\`\`\``), 'mutation', mutation)
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

keepGenerated('npm run docs:gen', () => {
  const [files, scores] = [mutatedFiles(trackedFiles()), kept()]
  return new Map([
    ['docs/errors.md', errorsPage()],
    ['docs/probes.md', probesPage()],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', envExample()],
    ['biome.boundaries.json', boundariesConfig()],
    ['docs/mutation.md', mutationPage(files, scores)],
    ['docs/mcp.md', withPart(read('docs/mcp.md'), 'tools', toolsTable())],
    ['README.md', readmeOf(read('README.md'), mutationSentence(files, scores))],
  ])
})

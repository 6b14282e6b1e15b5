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
import { graph } from './services-graph.ts'
import { trackedFiles } from './source-files.ts'

/** The README with a part between its marks regenerated. */
function withPart(readme: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: made by npm run docs:gen -->`, `<!-- /${name} -->`]
  const [before, rest] = readme.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md lost its ${begin} … ${end}`)
  return `${before}${begin}\n${part}\n${end}${after}`
}

/** The README with the graph of the present declarations, and the results of mutation testing. */
function readmeOf(readme: string, mutation: string): string {
  return withPart(withPart(readme, 'graph', `\`\`\`mermaid\n${graph()}\n\`\`\``), 'mutation', mutation)
}

keepGenerated('npm run docs:gen', () => {
  const [files, scores] = [mutatedFiles(trackedFiles()), kept()]
  return new Map([
    ['docs/errors.md', errorsPage()],
    ['docs/probes.md', probesPage()],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', envExample()],
    ['biome.boundaries.json', boundariesConfig()],
    ['docs/mutation.md', mutationPage(files, scores)],
    ['README.md', readmeOf(readFileSync(join(ROOT, 'README.md'), 'utf8'), mutationSentence(files, scores))],
  ])
})

import { commandLine } from '@callboard/runtime/command-line'

commandLine(process.argv.slice(2), {
  usage: 'usage: npm run graph\n  Draws the services and their events as a mermaid diagram.',
})
// The services are imported only now, so that command-line errors are reported at once.
const { graph } = await import('./services-graph.ts')
console.log(graph())

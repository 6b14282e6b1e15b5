/**
 * A parent for tests to kill: starts a part on a folder, prints its port and pid as one JSON line, and keeps running.
 * With "exit" as third argument it ends at once, without stopping its child.
 */
import { startAnvil, startPostgres } from '../src/index.ts'

const [part, dataDir = '', afterwards] = process.argv.slice(2)

try {
  const { port, pid } =
    part === 'postgres' ? await startPostgres({ dataDir }) : await startAnvil({ stateFile: `${dataDir}/state.json` })
  console.log(JSON.stringify({ port, pid }))
} catch (error) {
  console.log(JSON.stringify({ failed: error instanceof Error ? error.message : String(error) }))
  process.exit(1)
}
if (afterwards === 'exit') process.exit(0)

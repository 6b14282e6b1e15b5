import { spawn } from 'node:child_process'
import { directUrlOf, instanceEnv } from '@callboard/all/beside'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run psql [-- ARGUMENTS OF PSQL] [--help]
  Opens psql in the database of the running instance: the embedded one of .callboard, or that of DATABASE_URL.
settings: CALLBOARD_DATA (.callboard), DATABASE_URL`

const given = process.argv.slice(2)
// All other arguments are for psql.
if (given[0] === '--help') commandLine(given, { usage: USAGE })

try {
  const url = directUrlOf(instanceEnv(process.env))
  const psql = spawn('psql', [url, ...given], { stdio: 'inherit' })
  // Ctrl-C ends a query, not psql.
  process.on('SIGINT', () => {})
  psql.once('error', () => {
    console.error(`No psql is on the PATH. Install PostgreSQL’s client, or give this URL to another one: ${url}`)
    process.exitCode = 1
  })
  psql.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

import { spawn } from 'node:child_process'
import { directUrlOf, instanceEnv } from '@callboard/all/beside'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run psql [-- ARGUMENTS OF PSQL] [--help]
  Opens psql in the database of the running instance: the embedded one of .callboard, or that of DATABASE_URL.
settings: CALLBOARD_DATA (.callboard), DATABASE_URL`

const given = process.argv.slice(2)
// All other arguments are for psql.
if (given[0] === '--help') commandLine(given, { usage: USAGE })

/** Everyone on a machine can read the arguments of a program, so the password travels in its environment. */
function passwordApart(url: string): { readonly url: string; readonly env: NodeJS.ProcessEnv } {
  // The URL of a socket has no host, and no password either.
  if (!URL.canParse(url)) return { url, env: {} }
  const bare = new URL(url)
  const { password } = bare
  bare.password = ''
  return password === '' ? { url, env: {} } : { url: bare.href, env: { PGPASSWORD: decodeURIComponent(password) } }
}

try {
  const url = directUrlOf(instanceEnv(process.env))
  const called = passwordApart(url)
  const psql = spawn('psql', [called.url, ...given], { stdio: 'inherit', env: { ...process.env, ...called.env } })
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

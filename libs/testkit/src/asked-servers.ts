import { existsSync, readFileSync } from 'node:fs'
import type { ProvidedContext } from 'vitest'
import { importsOf } from './imports.ts'

/** A server of the run, by the name of its provided URL, or what is made once for all: bundles and prepared data. */
export type AskedServer = Exclude<keyof ProvidedContext, 'absent'>

const SERVERS: readonly AskedServer[] = ['postgresUrl', 'natsUrl', 'redisUrl', 'programs', 'preparedData']

/**
 * The servers that test files ask for with `inject`, themselves or in a file that they import by path. A name that is
 * not a literal may be any, so it asks for all of them.
 */
export function askedServers(testFiles: Iterable<string>): ReadonlySet<AskedServer> {
  const asked = new Set<AskedServer>()
  const open = [...testFiles]
  const seen = new Set(open)
  for (let file = open.pop(); file !== undefined && asked.size < SERVERS.length; file = open.pop()) {
    if (!existsSync(file)) continue
    for (const server of askedIn(readFileSync(file, 'utf8'))) asked.add(server)
    for (const { file: next, typesOnly } of importsOf(file)) {
      if (typesOnly || seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return asked
}

function askedIn(text: string): readonly AskedServer[] {
  // A method of that name, such as fastify's, is something else.
  const names = [...text.matchAll(/(?<![.\w])inject\(\s*([^)]*)\)/g)].map(([, name = '']) => name.trim())
  const isWritten = (name: string) => /^(['"`])\w+\1$/.test(name)
  if (names.some((name) => !isWritten(name)) && /\binject\b[^;]*from 'vitest'/.test(text)) return SERVERS
  return SERVERS.filter((server) => names.some((name) => name.slice(1, -1) === server))
}

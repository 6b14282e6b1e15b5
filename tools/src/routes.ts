import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, operations, serviceOf, subjectOf } from '@callboard/contract'
import { commandLine } from '@callboard/runtime/command-line'

const ROOT = join(import.meta.dirname, '../..')

/** The file of an operation's handler: its name in kebab case, in its service's folder. */
export function handlerFile(id: string): string {
  const operation = id.slice(id.indexOf('.') + 1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return `services/${serviceOf({ id })}/src/operations/${operation}.ts`
}

/** Whether there is the service of an operation; one that is to come has its operations declared already. */
const isHere = (id: string): boolean => existsSync(join(ROOT, 'services', serviceOf({ id })))

/** One line per route and per internal operation: METHOD PATH, operation, auth, limit class, subject, handler file. */
export function routeTable(): string[][] {
  return [...operations.values()].flatMap((op) => {
    const file = handlerFile(op.id)
    if (!existsSync(join(ROOT, file)) && isHere(op.id)) throw new Error(`${op.id} has no handler at ${file}`)
    const handler = isHere(op.id) ? file : 'to come'
    if (!op.http) return [['internal', '', op.id, '', '', subjectOf(op), handler]]
    const { method, path, auth, limit, aliases = [], paid } = op.http
    const row = (shown: string) => [method, shown, op.id, paid ? 'x402' : auth, limit, subjectOf(op), handler]
    return [row(path), ...aliases.map((alias) => row(`${alias} (deprecated)`))]
  })
}

function print(rows: readonly string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

if (import.meta.main) {
  commandLine(process.argv.slice(2), {
    usage: 'usage: npm run routes\n  Every operation: method, path, auth, limit class, subject, handler file.',
  })
  print([['METHOD', 'PATH', 'OPERATION', 'AUTH', 'LIMIT', 'SUBJECT', 'HANDLER'], ...routeTable()])
  console.log('\nLimit classes (per caller)')
  for (const [name, { burst, perMinute }] of Object.entries(LIMITS)) {
    console.log(`  ${name.padEnd(12)} ${burst} at once, ${perMinute} a minute`)
  }
}

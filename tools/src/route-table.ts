import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { operations, serviceOf, subjectOf } from '@callboard/contract'

const ROOT = join(import.meta.dirname, '../..')

/** The file of an operation's handler: its name in kebab case, in its service's folder. */
function handlerFile(id: string): string {
  const operation = id.slice(id.indexOf('.') + 1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return `services/${serviceOf({ id })}/src/operations/${operation}.ts`
}

/** Whether an operation's service exists; a planned one has its operations declared already. */
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

/** What Postgres lets a role do with a table. */
export type TableRight = 'select' | 'insert' | 'update' | 'delete' | 'truncate'

/** What a service does with the rows of its own tables; `truncate` empties what it can delete anyway. */
export const ROW_RIGHTS: readonly TableRight[] = ['select', 'insert', 'update', 'delete', 'truncate']

/**
 * Tables of every schema on which a service has fewer rights: it reads which migrations were run but runs none, and it
 * appends to its record of operator actions but changes none of it.
 */
const LESS: Readonly<Record<string, readonly TableRight[]>> = {
  kysely_migration: ['select'],
  kysely_migration_lock: [],
  operator_action: ['select', 'insert'],
}

export const TABLES_WITH_LESS: readonly string[] = Object.keys(LESS)

/** What a service's own role may do with a table of its schema. */
export const rightsOn = (table: string): readonly TableRight[] => LESS[table] ?? ROW_RIGHTS

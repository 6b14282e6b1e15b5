import { hash } from 'node:crypto'

const CHARACTERS = 40

/**
 * Names what an operator looked at, by its content: 160 bits in hex. So many that nobody can make two contents with one
 * name, of which the operator sees the harmless one; and never with a dash in front, which a command line takes for an
 * option.
 */
export const seenOf = (content: unknown): string => hash('sha256', JSON.stringify(content)).slice(0, CHARACTERS)

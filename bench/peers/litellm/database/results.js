import { Prisma } from '@prisma/client'
import { MODELS } from './schema.js'

/** An answer of Prisma’s client as the engine’s GraphQL tells it: JSON columns are text, dates and decimals too. */
export function shown(model, value) {
  if (Array.isArray(value)) return value.map((one) => shown(model, one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownField(model, key, one)]))
}

function shownField(model, key, value) {
  const field = MODELS.get(model)?.get(key)
  if (field?.kind === 'object') return shown(field.type, value)
  if (value === null || value === undefined) return null
  if (field?.type === 'Json') return field.isList ? value.map((one) => JSON.stringify(one)) : JSON.stringify(value)
  if (value instanceof Date || Prisma.Decimal.isDecimal(value)) return plain(value)
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'object' ? shown(model, value) : plain(value)
}

function plain(value) {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  return Prisma.Decimal.isDecimal(value) ? value.toString() : value
}

/** Parameters of a raw statement, which come as JSON with types where JSON has none. */
export function rawParameters(parameters = '[]') {
  return JSON.parse(parameters).map((value) => {
    if (value === null || typeof value !== 'object' || !('prisma__type' in value)) return value
    return value.prisma__type === 'date' ? new Date(value.prisma__value) : value.prisma__value
  })
}

function typeOf(value) {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'bigint'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'double'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Date) return 'datetime'
  if (Prisma.Decimal.isDecimal(value)) return 'decimal'
  if (Array.isArray(value)) return 'unknown-array'
  return typeof value === 'object' ? 'json' : 'string'
}

const rawValue = (value) => {
  if (typeof value === 'bigint') return value.toString()
  return Array.isArray(value) ? value.map(plain) : plain(value)
}

/** Rows of a raw query, with the type of each column. */
export function rawResult(rows) {
  const columns = Object.keys(rows[0] ?? {})
  const types = columns.map((column) => {
    const known = rows.map((row) => typeOf(row[column])).filter((type) => type !== 'null')
    return known.find((type) => type !== 'int') ?? known[0] ?? 'string'
  })
  return { columns, types, rows: rows.map((row) => columns.map((column) => rawValue(row[column]))) }
}

import { Prisma } from '@prisma/client'
import { MODELS } from './schema.js'

/** Arguments that name fields, and hold none of their values. */
const NAMING = new Set(['orderBy', 'by', 'distinct'])

/** The arguments of a field as Prisma’s client takes them. */
export const argumentsOf = (model, { arguments: given = [] }) =>
  Object.fromEntries(
    given.map(({ name, value }) => [name.value, clientValue(value, NAMING.has(name.value) ? {} : { model })]),
  )

/** Nulls of JSON columns are told apart by name. */
const NULLS = { JsonNull: Prisma.JsonNull, DbNull: Prisma.DbNull, AnyNull: Prisma.AnyNull }

/**
 * @param at where the value stands: in a model, and in which of its fields, where it is in one
 */
function clientValue(node, at) {
  switch (node.kind) {
    case 'NullValue':
      return null
    case 'BooleanValue':
      return node.value
    case 'IntValue':
      return at.field?.type === 'BigInt' ? BigInt(node.value) : Number(node.value)
    case 'FloatValue':
      return Number(node.value)
    case 'EnumValue':
      return NULLS[node.value] ?? node.value
    case 'StringValue':
      return textOf(node.value, at.field?.type)
    case 'ListValue':
      return node.values.map((value) => clientValue(value, at))
    case 'ObjectValue':
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, clientValue(value, within(at, name.value))]),
      )
    default:
      throw new Error(`no value of a kind ${node.kind}`)
  }
}

/** A name inside a model is a field of it; a field that is a relation leads to its model; all else are operators. */
function within(at, name) {
  const field = MODELS.get(at.model)?.get(name)
  if (!field) return at
  return field.kind === 'object' ? { model: field.type } : { model: at.model, field }
}

function textOf(value, type) {
  if (type === 'Json') return JSON.parse(value)
  if (type === 'DateTime') return new Date(value)
  if (type === 'BigInt') return BigInt(value)
  return value
}

/** What is selected of a field’s answer. */
export function selectionOf(model, { selectionSet }) {
  return Object.fromEntries(
    (selectionSet?.selections ?? []).map((field) => {
      const name = field.name.value
      if (!field.selectionSet) return [name, true]
      const inner = MODELS.get(model)?.get(name)?.type ?? model
      return [name, { select: selectionOf(inner, field), ...argumentsOf(inner, field) }]
    }),
  )
}

import type { z } from 'zod'
import { isObject, type JsonObject, referenceTo, writeSchema } from './json-schema.ts'

/** Whether two schemas are equal, ignoring the order of their members. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]))
}

/** The shared parts of one document, each under its name. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {}
  readonly responses: Record<string, JsonObject> = {}
  readonly #declared = new Set<string>()

  /** Writes a schema of the contract, with references in place of everything that has a name. */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const written = writeSchema(schema, io)
    for (const [name, one] of written.named) {
      this.#declared.add(name)
      this.keep(name, one)
    }
    return written.schema
  }

  /**
   * Stores a schema under a name and returns a reference to it.
   * @throws Error where another schema has the name
   */
  keep(name: string, schema: JsonObject): JsonObject {
    const before = this.schemas[name]
    if (before && !same(before, schema)) throw new Error(`Two schemas of the document are named ${name}`)
    this.schemas[name] = schema
    return referenceTo(name)
  }

  /** The same for a schema that the contract does not name, unless it equals one that has a name. */
  keepDerived(name: string, schema: JsonObject): JsonObject {
    if ('$ref' in schema) return schema
    const declared = [...this.#declared].find((one) => same(this.schemas[one], schema))
    return declared === undefined ? this.keep(name, schema) : referenceTo(declared)
  }

  /** Resolves a reference to the schema itself. */
  behind(schema: JsonObject): JsonObject {
    const { $ref } = schema
    const found = typeof $ref === 'string' ? this.schemas[$ref.slice(referenceTo('').$ref.length)] : schema
    if (!isObject(found)) throw new Error(`Nothing stands behind ${$ref}`)
    return found
  }

  /** Returns a reference to a response under its name, or the response itself where another one has the name. */
  shareResponse(name: string, response: JsonObject): JsonObject {
    this.responses[name] ??= response
    return same(this.responses[name], response) ? { $ref: `#/components/responses/${name}` } : response
  }
}

/** Turns an id of the contract, such as `listings.setStatus` or `slug_taken`, into a schema name. */
export const pascalCase = (word: string): string =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

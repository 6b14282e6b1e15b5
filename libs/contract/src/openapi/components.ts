import type { z } from 'zod'
import { isObject, type JsonObject, referenceTo, writeSchema } from './json-schema.ts'

/** Whether two schemas say the same, in whatever order. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]))
}

/** What the parts of one document share, each under its name. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {}
  readonly responses: Record<string, JsonObject> = {}
  readonly #declared = new Set<string>()

  /** A schema of the contract, with references in place of all that has a name. */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const written = writeSchema(schema, io)
    for (const [name, one] of written.named) {
      this.#declared.add(name)
      this.keep(name, one)
    }
    return written.schema
  }

  /**
   * A reference to a schema that is kept under a name.
   * @throws Error where the name stands for another schema
   */
  keep(name: string, schema: JsonObject): JsonObject {
    const before = this.schemas[name]
    if (before && !same(before, schema)) throw new Error(`Two schemas of the document are named ${name}`)
    this.schemas[name] = schema
    return referenceTo(name)
  }

  /** The same for what the contract gives no name of its own, unless it is one that has a name. */
  keepDerived(name: string, schema: JsonObject): JsonObject {
    if ('$ref' in schema) return schema
    const declared = [...this.#declared].find((one) => same(this.schemas[one], schema))
    return declared === undefined ? this.keep(name, schema) : referenceTo(declared)
  }

  /** What a schema says itself, behind a reference. */
  behind(schema: JsonObject): JsonObject {
    const { $ref } = schema
    const found = typeof $ref === 'string' ? this.schemas[$ref.slice(referenceTo('').$ref.length)] : schema
    if (!isObject(found)) throw new Error(`Nothing stands behind ${$ref}`)
    return found
  }

  /** A reference to an answer under its name; the answer itself where the name stands for another one. */
  shareResponse(name: string, response: JsonObject): JsonObject {
    this.responses[name] ??= response
    return same(this.responses[name], response) ? { $ref: `#/components/responses/${name}` } : response
  }
}

/** A word of the contract, such as `listings.setStatus` or `slug_taken`, as the name of a schema. */
export const pascalCase = (word: string): string =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

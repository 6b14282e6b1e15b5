import { z } from 'zod'

const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/

const byName = new Map<string, z.core.$ZodType>()
const names = new Map<z.core.$ZodType, string>()

/**
 * Names schemas as clients see them: components of the OpenAPI document, types of generated code. Names are part of the
 * interface: renaming one breaks clients that use it.
 * @throws Error for a name that another schema has, a second name, or one that is not in PascalCase
 */
export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const before = names.get(schema)
    if (!PASCAL_CASE.test(name)) throw new Error(`${name} is no name of a schema: they are in PascalCase`)
    if (byName.has(name)) throw new Error(`Two schemas are named ${name}`)
    if (before !== undefined) throw new Error(`${before} is named ${name} too`)
    byName.set(name, schema)
    names.set(schema, name)
  }
}

/** The metadata that zod writes next to a schema's structure: its name, and its own description. */
class NamedSchemas extends z.core.$ZodRegistry<{ id?: string }> {
  names(): IterableIterator<string> {
    return byName.keys()
  }

  override get(schema: z.core.$ZodType): object | undefined {
    const id = names.get(schema)
    const said = z.globalRegistry.get(schema)
    return id === undefined ? said : { ...said, id }
  }
}

export const namedSchemas = new NamedSchemas()

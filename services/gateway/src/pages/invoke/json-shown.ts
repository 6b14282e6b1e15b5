/** The longest JSON that is shown; what is longer is in the listing as JSON. */
const MOST_CHARACTERS = 20_000
/** Deeper JSON is not indented: sellers write it, and its spaces would grow with the square of its depth. */
const DEEPEST = 16
/** The most members of a request that are described. */
const MOST_MEMBERS = 50

/** A value as JSON to read; undefined if it is too long to show. */
export function jsonShown(value: unknown): string | undefined {
  const compact = JSON.stringify(value)
  if (compact.length > MOST_CHARACTERS) return undefined
  return depthOf(compact) > DEEPEST ? compact : JSON.stringify(value, null, 2)
}

/** How deep JSON may be nested: brackets within its texts count too. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0]
  for (const character of json) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

/** A member of a request, as its seller describes it. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** The members of an object by its JSON Schema; none if the schema describes no object, or is not one. */
export function membersOf(schema: Readonly<Record<string, unknown>>): Member[] {
  const { properties, required } = schema
  const names = Array.isArray(required) ? required : []
  return Object.entries(isObject(properties) ? properties : {})
    .slice(0, MOST_MEMBERS)
    .map(([name, member]) => ({
      name,
      type: typeOf(isObject(member) ? member : {}),
      isRequired: names.includes(name),
      description: isObject(member) && typeof member.description === 'string' ? member.description : '',
    }))
}

/** The types that a schema names, and the values if it lists a few. */
function typeOf({ type, enum: values, const: only }: Readonly<Record<string, unknown>>): string {
  const listed = only === undefined ? values : [only]
  if (Array.isArray(listed) && listed.length > 0 && listed.length <= 10) {
    return listed.map((value) => JSON.stringify(value)).join(' or ')
  }
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
  return types.length > 0 ? types.join(' or ') : 'any'
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

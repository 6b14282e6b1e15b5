/** A fault of an input: its place, as a dotted path, and the reason. */
export interface Issue {
  readonly field: string
  readonly reason: string
}

/** Deeper than any input of ours; everything that reads it behind the gateway is recursive. */
const MAX_DEPTH = 64

/** RFC 8259 allows both in JSON text; Postgres does not accept the first, and UTF-8 cannot encode the second. */
const isIllFormed = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

const ILL_FORMED: Issue = { field: '', reason: 'contains a NUL or half a surrogate pair' }
const TOO_DEEP: Issue = { field: '', reason: `is nested deeper than ${MAX_DEPTH} levels` }

/** Finds what no schema detects and nothing behind the gateway can handle; undefined if there is nothing. */
export function unfitJson(value: unknown, depth = 0): Issue | undefined {
  if (typeof value === 'string') return isIllFormed(value) ? ILL_FORMED : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const unfit = unfitJson(value[at], depth + 1)
      if (unfit) return within(String(at), unfit)
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (isIllFormed(name)) return ILL_FORMED
    const unfit = unfitJson((value as Record<string, unknown>)[name], depth + 1)
    if (unfit) return within(name, unfit)
  }
  return undefined
}

const within = (name: string, unfit: Issue): Issue => ({
  ...unfit,
  field: unfit.field ? `${name}.${unfit.field}` : name,
})

/** Where an input does not fit, as a dotted path, and why. */
export interface Issue {
  readonly field: string
  readonly reason: string
}

/** Deeper than any input of ours; whatever reads it behind the gateway is recursive. */
const MAX_DEPTH = 64

/** RFC 8259 admits both in a JSON text; no Postgres text or JSON takes the first, and UTF-8 has no form of the second. */
const isIllFormed = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

const ILL_FORMED: Issue = { field: '', reason: 'holds a NUL or half a surrogate pair' }
const TOO_DEEP: Issue = { field: '', reason: `is nested deeper than ${MAX_DEPTH} levels` }

/** What no schema sees and nothing behind it can take; undefined for what can be passed on. */
export function unfitJson(value: unknown, depth = 0): Issue | undefined {
  if (typeof value === 'string') return isIllFormed(value) ? ILL_FORMED : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return TOO_DEEP
  for (const [name, member] of Object.entries(value)) {
    if (isIllFormed(name)) return ILL_FORMED
    const unfit = unfitJson(member, depth + 1)
    if (unfit) return { ...unfit, field: unfit.field ? `${name}.${unfit.field}` : name }
  }
  return undefined
}

/**
 * Returns a value derived from a rotating setting: created once, and again when the setting changes.
 * @param value reads the setting
 */
export function derived<Value, Made>(value: () => Value, make: (value: Value) => Made): () => Made {
  let from = value()
  let made = make(from)
  return () => {
    const now = value()
    if (now !== from) {
      made = make(now)
      from = now
    }
    return made
  }
}

/** Makes one thing for each key, on first use, and keeps it. */
export function memoizeBy<Of, Key, Made>(make: (of: Of) => Made, keyOf: (of: Of) => Key): (of: Of) => Made {
  const made = new Map<Key, Made>()
  return (of) => {
    const key = keyOf(of)
    if (!made.has(key)) made.set(key, make(of))
    return made.get(key) as Made
  }
}

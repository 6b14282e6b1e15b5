/** Derives a value from an object once, and keeps it as long as the object exists. */
export function madeOnce<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const made = new WeakMap<From, Made>()
  return (from) => {
    const known = made.get(from)
    if (known !== undefined) return known
    const fresh = make(from)
    made.set(from, fresh)
    return fresh
  }
}

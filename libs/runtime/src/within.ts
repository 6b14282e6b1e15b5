/** Returns a promise's value, or undefined when it takes longer than `ms`. @throws if it rejects in that time */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  // An aborted timer would create an error with a stack for every call.
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a promise gives, or undefined when it takes longer than `ms`. @throws what it is rejected with in that time */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  // An aborted timer would make an error with a stack for every call.
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000
  while (performance.now() < end) {
    const value = await ask()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`This did not happen within 30 s: ${what}.`)
}

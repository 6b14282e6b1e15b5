/**
 * Takes an answer's body as it comes.
 * @param take throws where it can take no more
 * @returns whether the body broke off, or could not be taken to its end
 */
export async function eachChunk(answer: Response, take: (chunk: Uint8Array) => unknown): Promise<boolean> {
  const reader = answer.body?.getReader()
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {}
      if (!value) return false
      await take(value)
    }
  } catch {
    // It is not waited for: a seller may never acknowledge it.
    reader?.cancel().catch(() => {})
    return true
  }
}

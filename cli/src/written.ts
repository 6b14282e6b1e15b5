/** Writes to stdout, which a closed pipe or a full disk ends: `console.log` does not report either. @throws Error */
export const written = (chunk: Uint8Array | string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

/** Leaves the failures of stdout to `written`: without a listener, each would end the process. */
export const onlyWritten = (): void => {
  process.stdout.on('error', () => {})
}

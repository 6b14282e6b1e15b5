/** Writes to stdout, which a closed pipe or a full disk ends: `console.log` does not report either. @throws Error */
export const written = (chunk: Uint8Array | string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

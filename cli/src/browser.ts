import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The command that opens an address on each platform; elsewhere freedesktop.org's. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens a web address in the user's browser, without waiting for it.
 * @param failed is called where none can be opened
 */
export function openBrowser(url: string, failed: () => void): void {
  if (!/^https?:\/\//.test(url)) {
    failed()
    return
  }
  const [program = '', ...before] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...before, url], { detached: true, stdio: 'ignore' })
  child.once('error', failed)
  child.once('exit', (code) => {
    if (code !== 0) failed()
  })
  child.unref()
}

/** Whether a person is using this command interactively. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Calls back when Enter is pressed. @returns a function that stops listening, so that the command can end */
export function onEnter(pressed: () => void): () => void {
  const lines = createInterface({ input: process.stdin })
  lines.once('line', pressed)
  return () => lines.close()
}

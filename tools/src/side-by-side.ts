import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/**
 * Runs npm scripts of a folder, as many at once as there are cores and each to its end, and shows the output of those
 * that fail.
 * @returns the scripts that failed
 */
export async function sideBySide(scripts: readonly string[], folder: string): Promise<readonly string[]> {
  const open = [...scripts]
  const failed: string[] = []
  const worker = async () => {
    for (let script = open.shift(); script !== undefined; script = open.shift()) {
      const { status, output } = await run(script, folder)
      if (status === 0) continue
      failed.push(script)
      console.error(`${script} failed:\n${output.trimEnd()}\n`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return failed
}

async function run(script: string, cwd: string): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn('npm', ['run', '--silent', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output }
}

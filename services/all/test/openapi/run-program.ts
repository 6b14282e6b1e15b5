import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program to its end. @throws Error with its whole output when it fails */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    const { stdout } = await run(file, [...args], { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 24 })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')} failed\n${stdout}\n${stderr || error}`)
  }
}

/** The output of a program in `clients/`: one thing that it read per line. */
export const readings = (printed: string): Record<string, unknown> =>
  Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string; read: unknown })
      .map(({ what, read }) => [what, read]),
  )

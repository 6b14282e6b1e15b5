import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How much of the input space to try. */
export interface FuzzEffort {
  /** Inputs per fuzz test. */
  readonly fuzzRuns: number
  /** Sequences of 100 calls per invariant. */
  readonly invariantRuns: number
  /** Absent: forge picks one. */
  readonly seed?: string | undefined
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOLC = fileURLToPath(new URL('solc-command.mjs', import.meta.url))

/** forge from npm, like anvil; elsewhere the one on the PATH. */
function forgeBinary(): string {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/forge-linux-amd64/bin/forge')
  } catch {
    return 'forge'
  }
}

/**
 * Runs the fuzz and invariant tests in `fuzz/` with forge, without network access: the compiler is npm's solc.
 * @param root a folder with `foundry.toml`, `contracts/` and `fuzz/`; ours when absent
 * @returns forge's exit code, 0 when all hold, and its output where it is not shown
 */
export async function runForge(
  { fuzzRuns, invariantRuns, seed }: FuzzEffort,
  { show = false, root = ROOT } = {},
): Promise<{ code: number; output: string }> {
  const args = ['test', '--root', root, '--use', SOLC, '--no-match-contract', 'Handler']
  const options = {
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    env: {
      ...process.env,
      // The compiler's command needs Node on the PATH.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      FOUNDRY_FUZZ_RUNS: String(fuzzRuns),
      FOUNDRY_INVARIANT_RUNS: String(invariantRuns),
      FOUNDRY_INVARIANT_SHOW_METRICS: 'false',
      NO_COLOR: '1',
      ...(seed === undefined ? {} : { FOUNDRY_FUZZ_SEED: seed }),
    },
  } satisfies SpawnOptions
  const child = spawn(forgeBinary(), args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, output }
}

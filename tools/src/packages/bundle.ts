import { join } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { type Published, ROOT } from './published.ts'

/** None of our modules is needed for its side effects alone: an unused module is left out, with its imports. */
const treeshake = { moduleSideEffects: [{ test: /\/libs\//, sideEffects: false }] }

/** Whether a file is ours, by its import specifier or location. */
const isOurs = (id: string): boolean => /^(\.|\/|@callboard\/)/.test(id)

/** The package of an import: for `viem/siwe` it is viem. */
const packageIn = (id: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id

/** The inputs of a bundle. */
export interface Bundled {
  /** The names of the packages that it imports, without those of Node. */
  readonly imports: readonly string[]
  /** The files of which something was included. */
  readonly files: readonly string[]
}

/** Keeps imports of other entry points: each is a file of its own. */
const entriesApart = (files: ReadonlyMap<string, string>): Plugin => ({
  name: 'entries-apart',
  async resolveId(id, importer) {
    if (!importer) return undefined
    const resolved = await this.resolve(id, importer, { skipSelf: true })
    const entry = resolved && files.get(resolved.id)
    return entry ? { id: `./${entry}.js`, external: 'absolute' } : resolved
  },
})

/**
 * Bundles a package's sources as ES modules, one file for each entry point. Nothing is minified: anyone who trusts a
 * program with a wallet can read it.
 * @param folder where the files go
 */
export async function bundle({ workspace, entries, bundlesDependencies }: Published, folder: string): Promise<Bundled> {
  const files = new Map(Object.entries(entries).map(([name, file]) => [join(ROOT, workspace, file), name]))
  const chunks: OutputChunk[] = []
  for (const [file, name] of files) {
    const build = await rolldown({
      cwd: ROOT,
      input: { [name]: file },
      platform: 'node',
      external: (id) => id.startsWith('node:') || !(bundlesDependencies || isOurs(id)),
      plugins: [entriesApart(files)],
      treeshake,
      checks: { pluginTimings: false },
    })
    const { output } = await build.write({ dir: folder, format: 'es', codeSplitting: false })
    await build.close()
    chunks.push(...output.filter((part): part is OutputChunk => part.type === 'chunk'))
  }
  const written = new Set(chunks.flatMap(({ fileName }) => [fileName, `./${fileName}`]))
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  const foreign = imported.filter((id) => !id.startsWith('node:') && !written.has(id)).map(packageIn)
  const used = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([file, { renderedLength }]) => (renderedLength > 0 ? [file] : [])),
  )
  return { imports: [...new Set(foreign)].sort(), files: used }
}

/** Rolls an entry point's types up into one file, with those of our other packages. @source tsconfig.types.json */
export async function rollUpTypes(source: string, folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { index: join(ROOT, source) },
    external: (id) => !isOurs(id),
    plugins: [dts({ tsconfig: join(ROOT, 'tsconfig.types.json'), emitDtsOnly: true, logger: QUIET })],
    treeshake,
    checks: { pluginTimings: false },
  })
  await build.write({ dir: folder, format: 'es' })
  await build.close()
}

const ignored = (): void => {}
/** The plugin warns at every run that TypeScript 7's compiler is experimental; its failures are thrown. */
const QUIET = { info: ignored, warn: ignored, error: console.error }

import { join } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { type Published, ROOT } from './published.ts'

/** Of our rooms nothing is needed for its effect alone: a module of which nothing is used is left out, with what it imports. */
const treeshake = { moduleSideEffects: [{ test: /\/libs\//, sideEffects: false }] }

/** A file of ours, by how it is imported or where it lies. */
const isOurs = (id: string): boolean => /^(\.|\/|@callboard\/)/.test(id)

/** The package that an import is of: `viem/siwe` is of viem. */
const packageIn = (id: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id

/** What a bundle was made of. */
export interface Bundled {
  /** The names of the packages that it imports, without those of Node. */
  readonly imports: readonly string[]
  /** The files that something was taken of. */
  readonly files: readonly string[]
}

/** Keeps an import of another entry point as one: each is a file by itself. */
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
 * Bundles a package's sources as ES modules, one file for each entry point. Nothing is minified: who trusts a program with
 * a wallet can read it.
 * @param folder where the files go
 */
export async function bundle({ room, entries, bundlesDependencies }: Published, folder: string): Promise<Bundled> {
  const files = new Map(Object.entries(entries).map(([name, file]) => [join(ROOT, room, file), name]))
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

/** Rolls the types of an entry point up into one file, with those of our other rooms. @source tsconfig.types.json */
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
/** The plugin calls the compiler of TypeScript 7 experimental at every run; its failures are thrown. */
const QUIET = { info: ignored, warn: ignored, error: console.error }

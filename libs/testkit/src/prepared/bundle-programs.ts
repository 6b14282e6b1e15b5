import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The programs that tests start repeatedly in processes of their own, by file name in the folder of bundles. */
const PROGRAMS = {
  main: 'services/all/src/main.ts',
  operator: 'services/all/src/operator.ts',
  rebuild: 'services/all/src/rebuild.ts',
  callboard: 'cli/src/main.ts',
  demo: 'demo/src/main.ts',
  'agents-child': 'services/agents/test/child.ts',
  'transfer-child': 'services/agents/test/transfer-child.ts',
  'top-up-child': 'services/router/test/top-up-child.ts',
  'facilitator-child': 'services/x402-facilitator/test/child.ts',
}

const BUNDLES = new Map(Object.entries(PROGRAMS).map(([name, file]) => [join(ROOT, file), `./${name}.mjs`]))

/** Files next to a source, such as a page's script, are read from their original place; programs become bundles. */
const whereItLay: Plugin = {
  name: 'where-it-lay',
  transform(code, id) {
    if (id.includes('/node_modules/piscina/')) return code.replaceAll('__dirname', JSON.stringify(dirname(id)))
    if (!id.startsWith(ROOT) || id.includes('/node_modules/')) return undefined
    return code
      .replace(/new URL\('([^']+)', import\.meta\.url\)/g, (here, path: string) => {
        const bundle = BUNDLES.get(join(dirname(id), path))
        return bundle ? `new URL('${bundle}', import.meta['url'])` : here
      })
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
  },
}

/**
 * Bundles those programs with everything they import: of the second of CPU time that an instance takes to start, two
 * thirds are spent on finding and reading two thousand files.
 * @param folder where the bundles go
 */
export async function bundlePrograms(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, join(ROOT, file)])),
    platform: 'node',
    plugins: [whereItLay],
    treeshake: false,
    checks: { pluginTimings: false },
    onLog: () => {},
  })
  await build.write({ dir: folder, format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await build.close()
}

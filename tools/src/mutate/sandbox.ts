import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../generated-files.ts'

/**
 * A copy of the checkout in which sources may be changed: the leftovers of a killed run never touch our files. Packages
 * are linked; workspace links stay relative, so that a copied workspace imports the copies of the others.
 */
export function openSandbox(paths: readonly string[]): string {
  const sandbox = join(ROOT, '.cache/mutate')
  rmSync(sandbox, { recursive: true, force: true })
  for (const path of paths) {
    mkdirSync(dirname(join(sandbox, path)), { recursive: true })
    cpSync(join(ROOT, path), join(sandbox, path))
  }
  const holders = ['.', ...paths.filter((path) => path.endsWith('/package.json')).map((path) => dirname(path))]
  for (const holder of holders) linkPackages(join(ROOT, holder, 'node_modules'), join(sandbox, holder, 'node_modules'))
  return sandbox
}

function linkPackages(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (name.startsWith('@')) linkPackages(source, target)
    else symlinkSync(source, target)
  }
}

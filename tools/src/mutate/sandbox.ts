import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../generated-files.ts'

const SANDBOXES = join(ROOT, '.cache/mutate')

/**
 * A copy of the checkout in which sources may be changed, of this process alone: the leftovers of a killed run never touch
 * our files, and the next run removes them. Packages are linked; workspace links stay relative, so that a copied workspace
 * imports the copies of the others.
 */
export function openSandbox(paths: readonly string[]): string {
  mkdirSync(SANDBOXES, { recursive: true })
  for (const name of readdirSync(SANDBOXES)) if (!isRunning(name)) remove(join(SANDBOXES, name))
  const sandbox = join(SANDBOXES, String(process.pid))
  remove(sandbox)
  process.once('exit', () => remove(sandbox))
  for (const path of paths) {
    mkdirSync(dirname(join(sandbox, path)), { recursive: true })
    cpSync(join(ROOT, path), join(sandbox, path))
  }
  const holders = ['.', ...paths.filter((path) => path.endsWith('/package.json')).map((path) => dirname(path))]
  for (const holder of holders) linkPackages(join(ROOT, holder, 'node_modules'), join(sandbox, holder, 'node_modules'))
  return sandbox
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Whether a sandbox is named by a process that runs. */
function isRunning(name: string): boolean {
  try {
    return /^\d+$/.test(name) && process.kill(Number(name), 0)
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
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

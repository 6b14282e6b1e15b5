/** A package of the lockfile, as npm writes it. */
export interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Keyed by the folder of a package. */
export type Lockfile = Readonly<Record<string, Locked>>

/** What a workspace needs in production. */
export interface Reached {
  /** Folders of our own workspaces. */
  readonly workspaces: readonly string[]
  /** Folders of third-party packages. */
  readonly packages: readonly string[]
}

/**
 * The folders that a workspace reaches through its dependencies, including its own optional ones that are installed,
 * and excluding all development dependencies.
 * @param isLeftOut whether a package is omitted by name, whatever depends on it
 * @param isInstalled whether an optional package is present, which depends on the platform
 * @throws Error where a required package is not in the lockfile
 */
export function reachedFrom(
  workspace: string,
  lockfile: Lockfile,
  { isLeftOut, isInstalled }: { isLeftOut: (name: string) => boolean; isInstalled: (folder: string) => boolean },
): Reached {
  const seen = new Set<string>()
  const visit = (folder: string): void => {
    const entry = lockfile[folder]
    if (!entry) throw new Error(`${folder} is not in the lockfile`)
    if (seen.has(folder)) return
    if (entry.link) {
      visit(entry.resolved ?? '')
      return
    }
    seen.add(folder)
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    )
    const optional = Object.keys(entry.optionalDependencies ?? {})
    const wanted = new Set([...Object.keys(entry.dependencies ?? {}), ...peers, ...optional])
    for (const name of wanted) {
      if (isLeftOut(name)) continue
      const found = placeOf(name, folder, lockfile)
      if (optional.includes(name) && !(found && isInstalled(found))) continue
      if (!found) throw new Error(`${folder} needs ${name}, which is not in the lockfile`)
      visit(found)
    }
  }
  visit(workspace)
  const folders = [...seen].sort()
  return { workspaces: folders.filter((folder) => !isForeign(folder)), packages: folders.filter(isForeign) }
}

const isForeign = (folder: string) => folder.includes('node_modules/')

/** Where Node finds a package from a folder: in the nearest `node_modules` above it. */
function placeOf(name: string, from: string, lockfile: Lockfile): string | undefined {
  for (let folder = from; ; folder = above(folder)) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lockfile[place]) return place
    if (folder === '') return undefined
  }
}

/** The next folder above that may contain packages. */
function above(folder: string): string {
  const at = folder.lastIndexOf('/node_modules/')
  return at < 0 ? '' : folder.slice(0, at)
}

/** A package's name, from its folder. */
export const nameOf = (folder: string): string =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

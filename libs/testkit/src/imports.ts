import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** A file that another one imports by path. */
export interface Import {
  /** The file's path, absolute. */
  readonly file: string
  /** Whether only types are imported, so that none of its code runs. */
  readonly typesOnly: boolean
}

/** The files that a source file imports or re-exports by relative path. Packages are not followed. */
export function importsOf(file: string): readonly Import[] {
  const found = new Map<string, boolean>()
  for (const { path, typesOnly } of specifiersOf(file)) {
    if (!/^\.{1,2}\/.*\.[cm]?ts$/.test(path)) continue
    const target = join(dirname(file), path)
    found.set(target, typesOnly && (found.get(target) ?? true))
  }
  return [...found].map(([target, typesOnly]) => ({ file: target, typesOnly }))
}

/** The packages that a source file imports or re-exports from, without Node's own: `viem` for `viem/accounts`. */
export function packagesOf(file: string): ReadonlySet<string> {
  const names = specifiersOf(file).flatMap(({ path }) => /^(?:@[^/]+\/)?[^./@][^/:]*(?=\/|$)/.exec(path)?.[0] ?? [])
  return new Set(names)
}

interface Specifier {
  readonly path: string
  readonly typesOnly: boolean
}

function specifiersOf(file: string): readonly Specifier[] {
  const text = readFileSync(file, 'utf8')
  const { module } = parseSync(file, text)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      path: moduleRequest.value,
      typesOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ path: moduleRequest.value, typesOnly: isType }] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const path = /^(['"])(.+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
      return path === undefined ? [] : [{ path, typesOnly: false }]
    }),
  ]
}

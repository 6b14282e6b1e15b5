/** Files of a package that do not run: types, maps, TypeScript sources (Node runs none below `node_modules`), pages. */
const BESIDE = /\.(map|tsx?|[cm]ts|flow|markdown|md|tsbuildinfo|o|a|c|cc|h|gyp|gypi)$/i
/** Folders at the top of a package: deeper inside, such a name may belong to a module. */
const FOLDERS = /^(tests?|__tests__|examples?|docs?|bench(mark)?s?|\.github|coverage)\//i
const LICENCE = /(^|\/)(licen[cs]e|copying|notice)/i

/** Whether the image includes a file of a third party's package. @param path below the package's folder */
export const isKeptOfPackage = (path: string): boolean =>
  LICENCE.test(path) || !(BESIDE.test(path) || FOLDERS.test(path))

/** Whether the image includes a file of a workspace. @param path below the workspace's folder */
export const isKeptOfWorkspace = (path: string): boolean =>
  !/(^|\/)(test|node_modules|bench)\//.test(path) &&
  !/\.(test|suite|bench)\.ts$|(^|\/)(README|CHANGELOG)\.md$|(^|\/)tsconfig\.json$/.test(path)

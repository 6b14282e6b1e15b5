import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './published.ts'

const CHART = 'helm/callboard/Chart.yaml'

/** A file that contains the version, and its text with another. */
interface Carrier {
  readonly file: string
  readonly set: (text: string, version: string) => string
}

/** A workspace's version, and those of our workspaces it depends on. npm resolves an exact one to the local one. */
const inManifest: Carrier['set'] = (text, version) =>
  text
    .replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`)
    .replace(/^( {4}"(?:@callboard\/[a-z0-9-]+|callboard)": )"\d[^"]*"/gm, `$1"${version}"`)

/** The chart's own version, and that of its image. */
const inChart: Carrier['set'] = (text, version) => text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)

function carriers(): Carrier[] {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
  const manifests = workspaces.flatMap((folder) => globSync(`${folder}/package.json`, { cwd: ROOT })).sort()
  return [...['package.json', ...manifests].map((file) => ({ file, set: inManifest })), { file: CHART, set: inChart }]
}

/** The files that would change to carry this version. */
export const differing = (version: string): string[] =>
  carriers().flatMap(({ file, set }) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return set(text, version) === text ? [] : [file]
  })

/** Writes the version everywhere: services, chart and packages are released as one. */
export function writeVersion(version: string): void {
  for (const { file, set } of carriers()) {
    const path = join(ROOT, file)
    writeFileSync(path, set(readFileSync(path, 'utf8'), version))
  }
}

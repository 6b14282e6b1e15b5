import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { differing } from '../src/packages/one-version.ts'
import { manifestOf, ROOT } from '../src/packages/published.ts'

const { version } = manifestOf('libs/client')

describe('the version', () => {
  test('is the same in every workspace, in their internal dependencies and in the chart', () => {
    expect(differing(version)).toEqual([])
  })

  test('of another release would change each of these files', () => {
    const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
    const manifests = workspaces.flatMap((folder) => globSync(`${folder}/package.json`, { cwd: ROOT }))
    expect(differing('99.0.0').sort()).toEqual(['helm/callboard/Chart.yaml', 'package.json', ...manifests].sort())
  })
})

describe('changesets', () => {
  const folder = temporaryFolder('callboard-release-')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a change to one package releases both, describes the change, and leaves the other workspaces alone', () => {
    const git = (cwd: string, ...given: string[]) => execFileSync('git', given, { cwd, encoding: 'utf8' })
    const manifests = git(ROOT, 'ls-files', '*package.json').trim().split('\n')
    const rest = ['package-lock.json', '.changeset/config.json', 'cli/CHANGELOG.md', 'libs/client/CHANGELOG.md']
    for (const file of [...manifests, ...rest]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      cpSync(join(ROOT, file), join(folder, file))
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const changeset = '---\n"@callboard/client": minor\n---\n\nAdded `Api.call` with two heads.\n'
    writeFileSync(join(folder, '.changeset/two-heads.md'), changeset)
    git(folder, 'init', '--quiet', '--initial-branch=main')
    git(folder, 'add', '.')
    git(folder, '-c', 'user.name=test', '-c', 'user.email=test@example', 'commit', '--quiet', '--message=start')
    const program = join(ROOT, 'node_modules/@changesets/cli/bin.js')
    execFileSync(process.execPath, [program, 'version'], { cwd: folder, stdio: 'pipe' })

    const versionIn = (workspace: string) =>
      (JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8')) as { version: string }).version
    const [major, minor] = version.split('.').map(Number)
    const next = `${major}.${(minor ?? 0) + 1}.0`
    expect([versionIn('libs/client'), versionIn('cli')]).toEqual([next, next])
    expect([versionIn('libs/contract'), versionIn('services/gateway'), versionIn('demo')]).toEqual(
      Array.from({ length: 3 }, () => version),
    )
    const changelog = readFileSync(join(folder, 'libs/client/CHANGELOG.md'), 'utf8')
    expect(changelog).toContain(`## ${next}`)
    expect(changelog).toContain('with two heads.')
    expect(changelog).toContain('## 0.1.0')
  })
})

interface Step {
  readonly name?: string
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>
}

/** Stands for npm and its registry: knows what was published before, and may fail once at a package. */
const NPM = `#!/bin/sh
if [ "$1" = view ]; then grep -qxF "$2" published && echo "\${2##*@}"; exit; fi
case "$2" in *client*) name=@callboard/client ;; *) name=callboard ;; esac
if grep -qxF "$name@1.2.3" published || [ "$name" = "$BROKEN" ]; then exit 1; fi
echo "$name@1.2.3" >> published
`

describe('the workflows', () => {
  const jobsOf = (name: string): readonly Job[] => {
    const text = readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8')
    return Object.values((parse(text) as Workflow).jobs)
  }
  const stepsOf = (name: string) => jobsOf(name).flatMap(({ steps }) => steps)

  test('run only existing scripts and files', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const commands = ['ci', 'release'].flatMap((name) => stepsOf(name).flatMap(({ run }) => run ?? []))
    expect(commands).toContain('.ci/run')
    for (const command of commands) {
      const verb = /^npm run (\S+)/.exec(command)?.[1]
      if (verb) expect(scripts).toHaveProperty([verb])
      for (const file of command.match(/\b(?:tools|\.ci)\/\S+/g) ?? []) expect(existsSync(join(ROOT, file))).toBe(true)
    }
  })

  test('run actions of one commit each, which their authors cannot replace, and leave no credential in the checkout', () => {
    const used = ['ci', 'release'].flatMap(stepsOf).filter(({ uses }) => uses !== undefined)
    expect(used.length).toBeGreaterThan(0)
    for (const { uses = '', with: given } of used) {
      expect(uses).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/)
      if (uses.startsWith('actions/checkout')) expect(given).toMatchObject({ 'persist-credentials': false })
    }
  })

  test('publish where no script of a dependency ran', () => {
    const ofSecret = jobsOf('release').filter(({ steps }) => JSON.stringify(steps).includes('secrets.'))
    expect(ofSecret).toHaveLength(1)
    expect(JSON.stringify(ofSecret)).not.toMatch(/npm (?:ci|install|run|test)|checkout/)
  })

  test('check out the history in which the release that is upgraded is found', () => {
    for (const { uses, with: given } of stepsOf('ci')) {
      if (uses?.startsWith('actions/checkout')) expect(given).toMatchObject({ 'fetch-depth': 0 })
    }
  })

  test('publish the rest when a release that broke off is run again', async () => {
    const desk = temporaryFolder('callboard-publish-')
    for (const name of ['bin', 'dist']) mkdirSync(join(desk, name))
    writeFileSync(join(desk, 'bin/npm'), NPM, { mode: 0o755 })
    for (const name of ['callboard-client-1.2.3.tgz', 'callboard-1.2.3.tgz'])
      writeFileSync(join(desk, 'dist', name), '')
    writeFileSync(join(desk, 'published'), '')
    const step = stepsOf('release').find(({ name }) => name === 'Publish')?.run ?? 'exit 2'
    const publish = (BROKEN: string) => {
      const env = {
        ...process.env,
        BROKEN,
        GITHUB_REF_NAME: 'v1.2.3',
        PATH: `${join(desk, 'bin')}:${process.env.PATH}`,
      }
      return promisify(execFile)('bash', ['-e', '-c', step], { cwd: desk, env })
    }
    await expect(publish('callboard')).rejects.toMatchObject({ code: 1 })
    expect(readFileSync(join(desk, 'published'), 'utf8')).toBe('@callboard/client@1.2.3\n')
    await publish('')
    expect(readFileSync(join(desk, 'published'), 'utf8')).toBe('@callboard/client@1.2.3\ncallboard@1.2.3\n')
    rmSync(desk, { recursive: true })
  })

  test('refuse a release whose tag is not its version', async () => {
    const guard = stepsOf('release').find(({ name }) => name === 'The tag is the version')?.run ?? 'exit 2'
    const of = (tag: string) =>
      promisify(execFile)('bash', ['-c', guard], { cwd: ROOT, env: { ...process.env, GITHUB_REF_NAME: tag } }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    expect([await of(`v${version}`), await of('v0.0.1'), await of(version)]).toEqual([0, 1, 1])
  })
})

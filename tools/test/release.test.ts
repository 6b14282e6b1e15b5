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

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { name?: string; run?: string }[] }>>
}

describe('the workflows', () => {
  const stepsOf = (name: string) => {
    const text = readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8')
    return Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps)
  }

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

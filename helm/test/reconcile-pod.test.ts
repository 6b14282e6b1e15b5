import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { ROOT } from '@callboard/tools/generated-files'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type KubeObject, MINIMAL } from '../src/chart.ts'
import { targetOf } from '../src/target.ts'
import { valuesOf } from './helm.ts'
import { unknownFields, validate } from './models.ts'

const page = readFileSync(join(ROOT, 'docs/disaster-recovery.md'), 'utf8')
const blocks = page.split('```yaml\n').map((part) => part.split('```')[0] ?? '')
const pod: KubeObject = parse(blocks.find((block) => block.includes('callboard-reconcile')) ?? '')

test('the pod of reconcile in the documents is one that Kubernetes takes, also under Pod Security restricted', async () => {
  await expect(validate(pod)).resolves.toBeUndefined()
  expect(unknownFields([['the pod', pod]])).toEqual([])
  expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(pod.spec.containers[0].securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  })
})

test('it is given every setting without which a service does not start, from the Secrets of the first example', () => {
  const { secrets = {} } = valuesOf(MINIMAL) as { secrets?: Record<string, { existingSecret: string }> }
  const [{ env, envFrom }] = pod.spec.containers
  const named = new Set(envFrom.map(({ secretRef }: { secretRef: { name: string } }) => secretRef.name))
  const fromSecrets = Object.entries(secrets).flatMap(([name, { existingSecret }]) =>
    named.has(existingSecret) ? [name] : [],
  )
  const given = new Set([...env.map(({ name }: { name: string }) => name), ...fromSecrets])
  for (const module of modules)
    for (const [name, { required }] of Object.entries(targetOf(module).settings))
      if (required) expect(given, `${name} of ${module.name}`).toContain(name)
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '@callboard/embedded'
import { MAIN, Member } from '@callboard/tools/cluster'
import type { KubeApi } from '../api.ts'

/** The parts of a pod's container that are read here. @source core/v1, Container */
export interface Container {
  readonly env?: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } }
  }[]
}

/** The local addresses of the cluster's names, such as `nats:4222`. */
export type Names = Readonly<Record<string, string>>

/** Reads what a Secret holds under a key. */
export type ReadSecret = (name: string, key: string) => string

/**
 * The settings that a kubelet would give a container, with the cluster's names replaced.
 * @throws Error for a source other than a Secret, which the chart does not use
 */
export function settingsOf({ env = [] }: Container, readSecret: ReadSecret, names: Names): Record<string, string> {
  const settings = env.map(({ name, value = '', valueFrom }) => {
    const ref = valueFrom?.secretKeyRef
    if (valueFrom && !ref) throw new Error(`${name} comes from what is no Secret.`)
    return [name, here(ref ? readSecret(ref.name, ref.key) : value, names)] as const
  })
  return Object.fromEntries(settings)
}

/** A URL with its host and port replaced, if they are a name of the cluster. */
function here(text: string, names: Names): string {
  const [whole, before = '', name = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([\w-]+:\d+)(?=\/|$)/.exec(text) ?? []
  const place = names[name]
  return whole && place ? before + place + text.slice(whole.length) : text
}

/** Pods of a namespace whose containers run as processes of this checkout. */
export interface Processes {
  /** The gateway's URL. */
  readonly url: string
  readonly count: number
  stop(): Promise<void>
}

interface Options {
  readonly namespace: string
  readonly names: Names
  /** The folder for what a pod would write into `/tmp`. */
  readonly folder: string
  readonly log: (line: string) => void
}

/** Runs a release's migration Job and then a process for each of its Deployments, with the settings of their pods. */
export async function runPods(api: KubeApi, { namespace, names, folder, log }: Options): Promise<Processes> {
  const secrets = new Map<string, Record<string, string>>(
    (await api.get(`/api/v1/namespaces/${namespace}/secrets`)).items.map(
      ({ metadata, data = {} }: { metadata: { name: string }; data?: Record<string, string> }) => [metadata.name, data],
    ),
  )
  const readSecret: ReadSecret = (name, key) => {
    const held = secrets.get(name)?.[key]
    if (held === undefined) throw new Error(`Secret ${name} has no ${key}.`)
    return Buffer.from(held, 'base64').toString()
  }
  const read = async (group: string, kind: string): Promise<readonly NodeJS.ProcessEnv[]> =>
    (await api.get(`/apis/${group}/v1/namespaces/${namespace}/${kind}`)).items.map(
      ({ spec }: { spec: { template: { spec: { containers: [Container] } } } }) => ({
        ...{ PATH: process.env.PATH, HOME: process.env.HOME },
        ...settingsOf(spec.template.spec.containers[0], readSecret, names),
        ...{ CALLBOARD_DATA: folder, ADMIN_HOST: '127.0.0.1', HOST: '127.0.0.1' },
      }),
    )
  for (const env of await read('batch', 'jobs'))
    await promisify(execFile)(process.execPath, [MAIN, '--migrate'], { env })
  const members = await Promise.all(
    (await read('apps', 'deployments')).map(
      async (env) =>
        new Member({ target: env.TARGET ?? '', env, port: await freePort(), adminPort: await freePort(), log }),
    ),
  )
  const stop = async () => {
    await Promise.all(members.map((member) => member.end()))
  }
  try {
    await Promise.all(members.map((member) => member.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const gateway = members.find(({ target }) => target === 'gateway')
  return { url: `http://127.0.0.1:${gateway?.port}`, count: members.length, stop }
}

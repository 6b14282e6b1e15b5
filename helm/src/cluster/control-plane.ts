import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, freePort, startChild } from '@callboard/embedded'
import { until } from '@callboard/testkit/until'
import { KubeApi } from './api.ts'
import { podStages, simulatedNodes } from './nodes.ts'
import { defineOperatorKinds } from './operators.ts'
import type { ProgramName, Programs } from './programs.ts'

const READY_WITHIN_MS = 180_000
const STOP_WITHIN_MS = 15_000

export interface ControlPlane {
  readonly api: KubeApi
  /** A kubeconfig file for helm. */
  readonly kubeconfig: string
  /** Ends every process that it started, in reverse order. */
  stop(): Promise<void>
}

interface Options {
  /** Where it stores its data, its keys and its certificates. */
  readonly folder: string
  readonly log: (line: string) => void
}

/**
 * A whole control plane on loopback, with nodes simulated by KWOK: Kubernetes itself schedules, counts, evicts and
 * refuses, but no container runs.
 */
export async function startControlPlane(programs: Programs, { folder, log }: Options): Promise<ControlPlane> {
  const children: Child[] = []
  const run = async (name: ProgramName, args: readonly string[], ready: RegExp | (() => Promise<boolean>)) => {
    const child = await startChild({
      what: name,
      command: programs[name],
      args,
      ready,
      log: (line: string) => log(`${name}: ${line}`),
      readyWithinMs: READY_WITHIN_MS,
      stopSignal: 'SIGTERM',
      stopWithinMs: STOP_WITHIN_MS,
    })
    children.push(child)
  }
  const stop = async () => {
    for (const child of children.toReversed()) await child.stop()
  }
  try {
    const keys = writeKeys(folder)
    const etcd = await etcdArgs(folder)
    await run('etcd', etcd.args, /ready to serve client requests/)
    const port = await freePort()
    const url = `https://127.0.0.1:${port}`
    const certificate = join(folder, 'certificates/apiserver.crt')
    await run('kube-apiserver', apiServerArgs({ folder, port, etcd: etcd.url, keys }), /Serving securely/)
    const api = new KubeApi({ url, caFile: certificate, token: keys.token })
    await until(
      'the API server is ready',
      async () => (await api.ask('GET', '/readyz')).status === 200,
      READY_WITHIN_MS,
    )
    const kubeconfig = writeKubeconfig(folder, url, certificate, keys.token)
    const serviceAccount = '/api/v1/namespaces/default/serviceaccounts/default'
    const makesAccounts = async () => (await api.ask('GET', serviceAccount)).status === 200
    await run('kube-controller-manager', controllerArgs(kubeconfig, certificate, keys.privateKey), makesAccounts)
    await run(
      'kube-scheduler',
      ['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0'],
      /Starting Kubernetes Scheduler/,
    )
    await defineOperatorKinds(api)
    const stages = join(folder, 'stages.yaml')
    // JSON is YAML.
    writeFileSync(
      stages,
      podStages()
        .map((stage) => JSON.stringify(stage))
        .join('\n---\n'),
    )
    for (const node of simulatedNodes()) await api.must('POST', '/api/v1/nodes', node)
    const kwok = [
      '--kubeconfig',
      kubeconfig,
      '--config',
      stages,
      '--manage-all-nodes',
      '--cidr=10.64.0.0/16',
      '--server-address=',
    ]
    await run('kwok', [...kwok, '--node-lease-duration-seconds=40'], () => areReady(api))
    return {
      api,
      kubeconfig,
      async stop() {
        api.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whether every simulated node is ready and schedulable. */
async function areReady(api: KubeApi): Promise<boolean> {
  const { items } = await api.get('/api/v1/nodes')
  const isReady = (node: {
    status: { conditions?: { type: string; status: string }[] }
    spec: { taints?: unknown[] }
  }) =>
    node.spec.taints === undefined &&
    node.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  return items.every(isReady)
}

/** Keys of this cluster: the signing key for service account tokens, and the token of its one, all-powerful user. */
function writeKeys(folder: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const token = randomUUID()
  const write = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  return {
    privateKey: write('service-accounts.key', privateKey),
    publicKey: write('service-accounts.pub', publicKey),
    token,
    tokens: write('tokens.csv', `${token},admin,admin,system:masters\n`),
  }
}

async function etcdArgs(folder: string): Promise<{ readonly url: string; readonly args: readonly string[] }> {
  const url = `http://127.0.0.1:${await freePort()}`
  const peers = `http://127.0.0.1:${await freePort()}`
  const args = [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  ]
  return { url, args }
}

interface ApiServer {
  readonly folder: string
  readonly port: number
  readonly etcd: string
  readonly keys: ReturnType<typeof writeKeys>
}

function apiServerArgs({ folder, port, etcd, keys }: ApiServer): readonly string[] {
  const certificates = join(folder, 'certificates')
  mkdirSync(certificates)
  return [
    ...['--etcd-servers', etcd, '--secure-port', String(port), '--cert-dir', certificates],
    // No other machine needs its endpoint, and an endpoint must not be a loopback address.
    ...['--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', '--endpoint-reconciler-type=none'],
    ...['--service-cluster-ip-range=10.96.0.0/16', '--authorization-mode=RBAC', '--token-auth-file', keys.tokens],
    ...['--service-account-issuer=https://kubernetes.default.svc', '--service-account-key-file', keys.publicKey],
    ...['--service-account-signing-key-file', keys.privateKey],
  ]
}

const controllerArgs = (kubeconfig: string, certificate: string, privateKey: string): readonly string[] => [
  ...['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0', '--root-ca-file', certificate],
  ...['--service-account-private-key-file', privateKey, '--horizontal-pod-autoscaler-sync-period=2s'],
]

function writeKubeconfig(folder: string, server: string, certificate: string, token: string): string {
  const file = join(folder, 'kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': certificate } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

export { Backing } from './backing.ts'
export { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
export { allReady, MAIN, Member } from './member.ts'
export type { Urls } from './servers.ts'

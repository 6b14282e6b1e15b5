const CLASS = 'simulated'
const VOLUMES = 3

/** A default storage class, and as many volumes as the servers claim, without disks behind them. */
export const volumes = (): readonly (readonly [path: string, object: object])[] => [
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'kubernetes.io/no-provisioner',
    },
  ],
  ...Array.from({ length: VOLUMES }, (_, at) => {
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${CLASS}-${at + 1}` },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: CLASS,
        hostPath: { path: `/${CLASS}/${at + 1}` },
      },
    }
    return ['/api/v1/persistentvolumes', volume] as const
  }),
]

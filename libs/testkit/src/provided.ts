declare module 'vitest' {
  interface TaskMeta {
    /** For a test file: the statements that services in its process sent. */
    statements?: readonly string[]
  }

  /** What the global set-up of a test run provides to every test file, through vitest's `inject`. */
  interface ProvidedContext {
    /** A Postgres server of the run; each test makes its own database in it. */
    postgresUrl: string
    /** A nats-server with JetStream, or null with the reason in `absent`. */
    natsUrl: string | null
    /** A redis-server, or null with the reason in `absent`. */
    redisUrl: string | null
    /** The folder of our programs, each bundled to one file that starts fast; `bundlePrograms` lists them. */
    programs: string
    /** The folder of what an instance's first start creates before its services run; `copyPrepared` copies it. */
    preparedData: string
    /** Why a part is missing, by part. */
    absent: Record<string, string>
  }
}

export {}

import type { Way } from './found.ts'

export interface Image {
  readonly name: string
  readonly port: number
  readonly command?: readonly string[]
  readonly env?: Record<string, string>
  /** A log line that says it serves, and how often that line is printed. */
  readonly ready: RegExp
  readonly times?: number
  url(host: string, port: number): string
}

/**
 * Starts a container. Asks the engine itself, since a docker command may exist without one. The library is large and
 * loaded only here.
 */
export const byDocker =
  (image: Image): Way =>
  async () => {
    const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers')
    try {
      await getContainerRuntimeClient()
    } catch {
      return { closed: 'no container engine answers' }
    }
    try {
      const container = await new GenericContainer(image.name)
        .withExposedPorts(image.port)
        .withCommand([...(image.command ?? [])])
        .withEnvironment(image.env ?? {})
        .withWaitStrategy(Wait.forLogMessage(image.ready, image.times ?? 1))
        .start()
      return {
        kind: 'running',
        url: image.url(container.getHost(), container.getMappedPort(image.port)),
        how: `container of ${image.name}`,
        stop: async () => {
          await container.stop()
        },
      }
    } catch (error) {
      return {
        closed: `the container of ${image.name} did not start (${error instanceof Error ? error.message : error})`,
      }
    }
  }

import { importServices } from './services.ts'

export { startDemonstration } from './demonstration.ts'

/** Every service, in the order of starting, for those that look at all of them. */
export const modules = await importServices()

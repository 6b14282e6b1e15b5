import { importServices } from './services.ts'

export { startDemonstration } from './demonstration.ts'

/** Every service, in starting order, for callers that need all of them. */
export const modules = await importServices()

export { routerMeters } from './metering.ts'
export { type ModelsCommand, modelsCommand } from './operator/models-command.ts'
export { router } from './service.ts'

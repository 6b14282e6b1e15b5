export { listings } from './service.ts'
export { splitterFactoryGauge } from './splitter-factories.ts'

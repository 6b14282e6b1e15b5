export { listingsMeters } from './meters.ts'
export { mirrorMeters } from './mirror/meters.ts'
export { listings } from './service.ts'
export { splitterFactoryGauge } from './splitter-factories.ts'

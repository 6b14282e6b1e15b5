import { keepGenerated } from '@callboard/tools/generated-files'
import { generated } from './generated.ts'

/** `gen` writes what the chart, compose and NATS need to know of the services; `check` says what is stale. */
keepGenerated('npm run helm:gen', generated)

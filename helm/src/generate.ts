import { keepGenerated } from '@callboard/tools/generated-files'
import { generated } from './generated.ts'

/** `gen` writes what the chart, compose and NATS need from the services' declarations; `check` reports stale files. */
keepGenerated('npm run helm:gen', generated)

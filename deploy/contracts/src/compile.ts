import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { renderArtifacts } from './render.ts'
import { compileContracts } from './solc.ts'

const ARTIFACTS = fileURLToPath(new URL('../../../libs/evm/src/artifacts.generated.ts', import.meta.url))

const [verb] = process.argv.slice(2)
if (verb !== 'gen' && verb !== 'check') {
  console.error('usage: compile.ts gen | check')
  process.exit(2)
}

const made = renderArtifacts(compileContracts())
const written = existsSync(ARTIFACTS) ? readFileSync(ARTIFACTS, 'utf8') : ''
if (verb === 'gen' && made !== written) writeFileSync(ARTIFACTS, made)
if (verb === 'check' && made !== written) {
  console.error(
    'libs/evm/src/artifacts.generated.ts is not what the Solidity sources compile to: npm run contracts:gen',
  )
  process.exit(1)
}
